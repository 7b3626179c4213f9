// Kernels that prepare the derivatives of a tree: their exact total, their extent, and words.
#pragma once

#include <cstdint>

#include "device/atomics.h"
#include "device/kernel.h"
#include "trees/derivative_scale.h"
#include "trees/device/block_sums.h"
#include "trees/quantized_derivatives.h"

namespace podium {

// The derivatives of one output, which have `outputs` numbers per document.
struct OutputDerivatives {
  const double* first = nullptr;
  const double* second = nullptr;
  std::uint32_t outputs = 1, output = 0;
  DerivativeScale scale;
  bool flat = false;  // second derivatives count as 1

  PODIUM_BOTH double first_of(std::uint64_t document) const {
    return scale.first(first[document * outputs + output]);
  }
  PODIUM_BOTH double second_of(std::uint64_t document) const {
    return flat ? 1.0 : scale.second(second[document * outputs + output]);
  }
};

// Documents to go through: all up to `count`, or those of a list.
struct DocumentList {
  const std::uint32_t* listed = nullptr;
  std::uint64_t count = 0;

  PODIUM_BOTH std::uint32_t operator[](std::uint64_t i) const {
    return listed ? listed[i] : static_cast<std::uint32_t>(i);
  }
};

// The exact sum of numbers, as the long integer of core/exact_sum.h: digits of 32 bits, digit i
// with the weight 2^(32·i − 1074). Blocks add up digits in shared memory, in words that wrap
// around, with counts of how often.
struct TotalDigits {
  static constexpr unsigned kDigits = 70;
  std::int64_t digits[kDigits];
  std::uint64_t positive_infinities, negative_infinities, nans;  // the order of ExactSum::bytes()
};

struct TotalArgs {
  const double* values;
  std::uint32_t outputs, output;
  std::uint64_t documents;
  TotalDigits* total;  // 0 before the first block
};
struct TotalKernel {
  static constexpr const char* kName = "tree_total";
  static constexpr unsigned kThreads = 256;
  using Args = TotalArgs;
  // By sign and digit: the sum modulo 2³², and how often it wrapped around.
  struct Shared {
    std::uint32_t sum[2][TotalDigits::kDigits];
    std::uint32_t wraps[2][TotalDigits::kDigits];
  };

  PODIUM_BOTH static void add(Shared& shared, unsigned sign, std::uint32_t digit,
                              std::uint32_t value) {
    if (value == 0) return;
    const std::uint32_t before = add_atomically(&shared.sum[sign][digit], value);
    if (before + value < before) add_atomically(&shared.wraps[sign][digit], 1);
  }

  PODIUM_BOTH static void add(Shared& shared, TotalDigits& total, double x) {
    const std::uint64_t bits = bits_of(x);
    const auto exponent = static_cast<std::uint32_t>(bits >> 52 & 0x7FF);
    const unsigned sign = static_cast<unsigned>(bits >> 63);
    std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
    if (exponent == 0x7FF) {
      add_atomically(fraction ? &total.nans
                     : sign   ? &total.negative_infinities
                              : &total.positive_infinities,
                     std::uint64_t{1});
      return;
    }
    if (exponent) fraction |= std::uint64_t{1} << 52;
    const std::uint32_t shift = exponent ? exponent - 1 : 0;
    const std::uint32_t digit = shift / 32, offset = shift % 32;
    const std::uint64_t low = fraction << offset;
    const std::uint64_t high = offset ? fraction >> (64 - offset) : 0;
    add(shared, sign, digit, static_cast<std::uint32_t>(low));
    add(shared, sign, digit + 1, static_cast<std::uint32_t>(low >> 32));
    add(shared, sign, digit + 2, static_cast<std::uint32_t>(high));
  }

  template <class Block>
  PODIUM_BOTH static void run(Block& block, const Args& args) {
    Shared& shared = *block.template shared<Shared>();
    block.each([&](unsigned thread) {
      for (unsigned i = thread; i < 2 * TotalDigits::kDigits; i += kThreads)
        (&shared.sum[0][0])[i] = (&shared.wraps[0][0])[i] = 0;
    });
    block.each([&](unsigned thread) {
      const std::uint64_t step = std::uint64_t{kThreads} * block.blocks();
      for (std::uint64_t i = std::uint64_t{kThreads} * block.index() + thread; i < args.documents;
           i += step)
        add(shared, *args.total, args.values[i * args.outputs + args.output]);
    });
    block.each([&](unsigned thread) {
      if (thread >= TotalDigits::kDigits) return;
      const auto sum_of = [&](unsigned sign) {
        return static_cast<std::int64_t>(std::uint64_t{shared.wraps[sign][thread]} << 32 |
                                         shared.sum[sign][thread]);
      };
      const std::int64_t sum = sum_of(0) - sum_of(1);
      if (sum != 0) add_atomically(&args.total->digits[thread], sum);
    });
  }
};

// DerivativeExtent as bits: those of numbers ≥ 0 have their order. A wrong number is counted, and
// may leave anything in the rest.
struct ExtentBits {
  std::uint64_t first, second, smallest_second, wrong_first, wrong_second;
};
struct ExtentArgs {
  OutputDerivatives derivatives;
  DocumentList documents;
  ExtentBits* extent;  // 0, but smallest_second all ones, before the first block
};
struct ExtentKernel {
  static constexpr const char* kName = "tree_extent";
  static constexpr unsigned kThreads = 256;
  using Args = ExtentArgs;

  PODIUM_BOTH static void join(ExtentBits& into, const ExtentBits& part) {
    if (into.first < part.first) into.first = part.first;
    if (into.second < part.second) into.second = part.second;
    if (part.smallest_second < into.smallest_second) into.smallest_second = part.smallest_second;
    into.wrong_first += part.wrong_first;
    into.wrong_second += part.wrong_second;
  }

  template <class Block>
  PODIUM_BOTH static void run(Block& block, const Args& args) {
    ExtentBits* const parts = block.template shared<ExtentBits>();
    block.each([&](unsigned thread) {
      ExtentBits part{0, 0, ~std::uint64_t{0}, 0, 0};
      const std::uint64_t step = std::uint64_t{kThreads} * block.blocks();
      for (std::uint64_t i = std::uint64_t{kThreads} * block.index() + thread;
           i < args.documents.count; i += step) {
        const std::uint32_t d = args.documents[i];
        constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
        constexpr std::uint64_t kInfinity = std::uint64_t{0x7FF} << 52;
        const std::uint64_t g = bits_of(args.derivatives.first_of(d)) & ~kSign;
        const double h = args.derivatives.second_of(d);
        // −0 counts as 0.
        const std::uint64_t h_bits = h == 0 ? 0 : bits_of(h);
        join(part, {g, h_bits, h_bits, g >= kInfinity ? 1U : 0U, h_bits >= kInfinity ? 1U : 0U});
      }
      parts[thread] = part;
    });
    for (unsigned half = kThreads / 2; half > 0; half /= 2)
      block.each([&](unsigned thread) {
        if (thread < half) join(parts[thread], parts[thread + half]);
      });
    block.each([&](unsigned thread) {
      if (thread != 0) return;
      raise_atomically(&args.extent->first, parts[0].first);
      raise_atomically(&args.extent->second, parts[0].second);
      lower_atomically(&args.extent->smallest_second, parts[0].smallest_second);
      add_atomically(&args.extent->wrong_first, parts[0].wrong_first);
      add_atomically(&args.extent->wrong_second, parts[0].wrong_second);
    });
  }
};

struct RoundArgs {
  OutputDerivatives derivatives;
  DocumentList documents;
  DerivativeRounding rounding;
  const std::uint32_t* keys;
  std::uint64_t* words;  // one per document
};
struct RoundKernel {
  static constexpr const char* kName = "tree_round";
  static constexpr unsigned kThreads = 256;
  using Args = RoundArgs;
  template <class Block>
  PODIUM_BOTH static void run(Block& block, const Args& args) {
    block.each([&](unsigned thread) {
      const std::uint64_t i = std::uint64_t{kThreads} * block.index() + thread;
      if (i >= args.documents.count) return;
      const std::uint32_t d = args.documents[i];
      args.words[d] = args.rounding.word(args.derivatives.first_of(d),
                                         args.derivatives.second_of(d), args.keys[d]);
    });
  }
};

}  // namespace podium

// Compiled once for each instruction set that Highway supports on this architecture; chosen at run
// time. Only comparisons, bit operations and additions in the order of the trees: the result has
// the same bits everywhere.
#include "models/forest/fast_forest_kernels.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "models/forest/fast_forest_kernels.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace podium::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, 16>;
using Words = hn::Rebind<std::uint32_t, Floats>;
using Signed = hn::Rebind<std::int32_t, Floats>;
using FloatVector = hn::Vec<Floats>;
using WordVector = hn::Vec<Words>;

constexpr Floats kFloats;
constexpr Words kWords;
constexpr Signed kSigned;

// Four vectors at a time: enough to amortise loading a test, few enough for the registers.
struct Four {
  WordVector a, b, c, d;
};

// Clears the bits `out` of the words where x > threshold, but not where x is NaN.
HWY_INLINE WordVector without_above(WordVector word, FloatVector x, FloatVector threshold,
                                    WordVector out) {
  return hn::AndNot(hn::IfThenElseZero(hn::RebindMask(kWords, hn::Gt(x, threshold)), out), word);
}
// The same, also where x is NaN.
HWY_INLINE WordVector without_not_below(WordVector word, FloatVector x, FloatVector threshold,
                                        WordVector out) {
  return hn::AndNot(hn::IfThenZeroElse(hn::RebindMask(kWords, hn::Le(x, threshold)), out), word);
}

HWY_INLINE Four remaining_leaves(const LeafTest* tests, LeafWord word, const float* block) {
  const std::size_t n = hn::Lanes(kFloats);
  const WordVector all = hn::Set(kWords, 0xFFFFFFFFU);
  Four v = {all, all, all, all};
  for (std::uint32_t i = word.begin; i < word.missing_right; ++i) {
    const FloatVector t = hn::Set(kFloats, tests[i].threshold);
    const WordVector out = hn::Set(kWords, tests[i].out);
    const float* const x = block + tests[i].column;
    v.a = without_above(v.a, hn::Load(kFloats, x), t, out);
    v.b = without_above(v.b, hn::Load(kFloats, x + n), t, out);
    v.c = without_above(v.c, hn::Load(kFloats, x + 2 * n), t, out);
    v.d = without_above(v.d, hn::Load(kFloats, x + 3 * n), t, out);
  }
  for (std::uint32_t i = word.missing_right; i < word.end; ++i) {
    const FloatVector t = hn::Set(kFloats, tests[i].threshold);
    const WordVector out = hn::Set(kWords, tests[i].out);
    const float* const x = block + tests[i].column;
    v.a = without_not_below(v.a, hn::Load(kFloats, x), t, out);
    v.b = without_not_below(v.b, hn::Load(kFloats, x + n), t, out);
    v.c = without_not_below(v.c, hn::Load(kFloats, x + 2 * n), t, out);
    v.d = without_not_below(v.d, hn::Load(kFloats, x + 3 * n), t, out);
  }
  return v;
}

// Sets the bits of the tests that send a document right.
HWY_INLINE WordVector with_above(WordVector index, FloatVector x, FloatVector threshold,
                                 WordVector bit) {
  return hn::Or(hn::IfThenElseZero(hn::RebindMask(kWords, hn::Gt(x, threshold)), bit), index);
}
HWY_INLINE WordVector with_not_below(WordVector index, FloatVector x, FloatVector threshold,
                                     WordVector bit) {
  return hn::Or(hn::IfThenZeroElse(hn::RebindMask(kWords, hn::Le(x, threshold)), bit), index);
}

// The indices of 4 vectors of documents in the table of a tree.
HWY_INLINE void find_indices(const LeafTest* tests, LeafWord word, const float* block,
                             std::uint32_t* indices) {
  const std::size_t n = hn::Lanes(kFloats);
  const WordVector zero = hn::Zero(kWords);
  Four v = {zero, zero, zero, zero};
  for (std::uint32_t i = word.begin; i < word.missing_right; ++i) {
    const FloatVector t = hn::Set(kFloats, tests[i].threshold);
    const WordVector bit = hn::Set(kWords, tests[i].out);
    const float* const x = block + tests[i].column;
    v.a = with_above(v.a, hn::Load(kFloats, x), t, bit);
    v.b = with_above(v.b, hn::Load(kFloats, x + n), t, bit);
    v.c = with_above(v.c, hn::Load(kFloats, x + 2 * n), t, bit);
    v.d = with_above(v.d, hn::Load(kFloats, x + 3 * n), t, bit);
  }
  for (std::uint32_t i = word.missing_right; i < word.end; ++i) {
    const FloatVector t = hn::Set(kFloats, tests[i].threshold);
    const WordVector bit = hn::Set(kWords, tests[i].out);
    const float* const x = block + tests[i].column;
    v.a = with_not_below(v.a, hn::Load(kFloats, x), t, bit);
    v.b = with_not_below(v.b, hn::Load(kFloats, x + n), t, bit);
    v.c = with_not_below(v.c, hn::Load(kFloats, x + 2 * n), t, bit);
    v.d = with_not_below(v.d, hn::Load(kFloats, x + 3 * n), t, bit);
  }
  hn::Store(v.a, kWords, indices);
  hn::Store(v.b, kWords, indices + n);
  hn::Store(v.c, kWords, indices + 2 * n);
  hn::Store(v.d, kWords, indices + 3 * n);
}

// The index of the lowest bit, from the exponent of that bit as a float. Undefined for 0.
HWY_INLINE WordVector lowest_bit(WordVector v) {
  const auto bits = hn::BitCast(kSigned, v);
  const auto power = hn::ConvertTo(kFloats, hn::And(bits, hn::Neg(bits)));
  const auto exponent = hn::ShiftRight<23>(hn::BitCast(kWords, power));
  return hn::Sub(hn::And(exponent, hn::Set(kWords, 0xFF)), hn::Set(kWords, 127));
}

// Leaves of 4 vectors of documents.
HWY_INLINE void find_leaves(const FastTrees& forest, const FastTree& tree, const float* block,
                            std::uint32_t* leaves) {
  const std::size_t n = hn::Lanes(kFloats);
  const LeafTest* const tests = forest.tests.data();
  const LeafWord* const words = forest.words.data() + tree.first;
  Four v = remaining_leaves(tests, words[0], block);
  const WordVector zero = hn::Zero(kWords);
  Four leaf = {lowest_bit(v.a), lowest_bit(v.b), lowest_bit(v.c), lowest_bit(v.d)};
  if (tree.count > 1) {
    // Documents whose leaf has not been found in a word yet.
    Four open = {
        hn::VecFromMask(kWords, hn::Eq(v.a, zero)), hn::VecFromMask(kWords, hn::Eq(v.b, zero)),
        hn::VecFromMask(kWords, hn::Eq(v.c, zero)), hn::VecFromMask(kWords, hn::Eq(v.d, zero))};
    for (std::uint32_t w = 1; w < tree.count; ++w) {
      const auto any = hn::Or(hn::Or(open.a, open.b), hn::Or(open.c, open.d));
      if (hn::AllTrue(kWords, hn::Eq(any, zero))) break;
      v = remaining_leaves(tests, words[w], block);
      const WordVector base = hn::Set(kWords, static_cast<std::uint32_t>(w * kWordLeaves));
      const auto place = [&](WordVector word, WordVector& at, WordVector& is_open) HWY_ATTR {
        at = hn::IfThenElse(hn::MaskFromVec(is_open), hn::Add(base, lowest_bit(word)), at);
        is_open = hn::And(is_open, hn::VecFromMask(kWords, hn::Eq(word, zero)));
      };
      place(v.a, leaf.a, open.a);
      place(v.b, leaf.b, open.b);
      place(v.c, leaf.c, open.c);
      place(v.d, leaf.d, open.d);
    }
  }
  hn::Store(leaf.a, kWords, leaves);
  hn::Store(leaf.b, kWords, leaves + n);
  hn::Store(leaf.c, kWords, leaves + 2 * n);
  hn::Store(leaf.d, kWords, leaves + 3 * n);
}

void add_block_kernel(const FastTrees& forest, const float* block, std::size_t documents,
                      std::size_t outputs, double* sums) {
  const std::size_t group = 4 * hn::Lanes(kFloats);
  HWY_ALIGN std::uint32_t leaves[kBlock];
  std::size_t output = 0;
  for (const FastTree& tree : forest.trees) {
    const double* const values = forest.values.data() + tree.first_value;
    double* const out = sums + output * kBlock;
    switch (tree.kind) {
      case FastTree::Kind::words:
        for (std::size_t d = 0; d < documents; d += group)
          find_leaves(forest, tree, block + d, leaves + d);
        break;
      case FastTree::Kind::table:
        for (std::size_t d = 0; d < documents; d += group)
          find_indices(forest.tests.data(), forest.words[tree.first], block + d, leaves + d);
        break;
      case FastTree::Kind::nodes:
        walk_block(forest.nodes.data() + tree.first, block, documents, leaves);
        break;
    }
    for (std::size_t d = 0; d < documents; ++d) out[d] += values[leaves[d]];
    if (++output == outputs) output = 0;
  }
}

const char* target_kernel() {
  return hwy::TargetName(HWY_TARGET);
}

}  // namespace
}  // namespace podium::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace podium {
namespace {
HWY_EXPORT(add_block_kernel);
HWY_EXPORT(target_kernel);
}  // namespace

void add_block(const FastTrees& trees, const float* block, std::size_t documents,
               std::size_t outputs, double* sums) {
  HWY_DYNAMIC_DISPATCH(add_block_kernel)(trees, block, documents, outputs, sums);
}

std::string_view fast_forest_target() {
  return HWY_DYNAMIC_DISPATCH(target_kernel)();
}

}  // namespace podium
#endif

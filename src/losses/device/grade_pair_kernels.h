// Kernels of the losses over all pairs of different grades (losses/pairwise/pairwise_grades.cc),
// for lists of up to kMostPairedDocuments documents, one block per query.
//
// Places are documents by descending grade. The CPU adds up pivot by pivot: pivot p with all places
// j in whole blocks of kPairBlock from the one where the lower grades begin, the pivot's sums in
// kPairBlock partial sums. As in lambda_sums.h, a thread here does one sum from its first term to
// its last, with the same terms of weight 0.
#pragma once

#include <cstdint>

#include "device/kernel.h"
#include "losses/device/loss_arrays.h"
#include "losses/device/one_lane_pairs.h"

namespace podium {

constexpr std::size_t kMostPairedDocuments = 512;

struct GradePairArgs {
  LossArrays arrays;
  const std::uint32_t* queries;  // one per block
  // By place: the row in the query, and where the lower grades begin.
  const std::uint32_t *order, *group_end;
  const float* grade;   // by row
  const float* weight;  // by row; null: 1
  const double* scale;  // by query
  PairShape shape;
  double sigma, largest_range, tie;
  bool by_grade;       // pairs weigh the difference of their grades
  std::uint32_t room;  // for documents
};

// One query's documents by place, in shared memory.
struct PairedList {
  std::uint64_t documents = 0, pivots = 0;
  double *score = nullptr, *power = nullptr, *grade = nullptr;
  double *first = nullptr, *second = nullptr;
  double* value = nullptr;  // of each pivot's pairs, and then of each group's ties
  double* weight = nullptr;
  const std::uint32_t* group_end = nullptr;
  static constexpr std::size_t kBytes = 7 * sizeof(double);

  PODIUM_BOTH static PairedList in(std::byte* memory, std::uint64_t room, std::uint64_t documents) {
    PairedList list;
    auto* const doubles = reinterpret_cast<double*>(memory);
    list.documents = documents;
    list.score = doubles;
    list.power = doubles + room;
    list.grade = doubles + 2 * room;
    list.first = doubles + 3 * room;
    list.second = doubles + 4 * room;
    list.value = doubles + 5 * room;
    list.weight = doubles + 6 * room;
    return list;
  }
  PODIUM_BOTH std::uint64_t first_block(std::uint64_t pivot) const {
    return group_end[pivot] / kPairBlock;
  }
};

struct PairedSums {
  double value, first, second;
};

// The sums of one function over a list.
template <class Function, unsigned kThreads>
struct GradePairSums {
  static constexpr unsigned kPivotsAtOnce = kThreads / kPairBlock;

  const PairedList& list;
  PairShape shape;
  bool by_grade;

  // j may be any place of a block of p's row, also behind the last document.
  PODIUM_BOTH PairedSums term(std::uint64_t p, std::uint64_t j) const {
    const bool is_pair = j >= list.group_end[p] && j < list.documents;
    if (j >= list.documents) j = list.documents - 1;
    const double gap = list.grade[p] - list.grade[j];
    const bool reversed = gap < 0;
    const double lead = list.score[p] - list.score[j];
    one_lane::Pairs pair{reversed ? -lead : lead, one_lane::magnitude(lead),
                         one_lane::magnitude(gap), 0, 0};
    if constexpr (Function::kFromPowers) {
      pair.better = list.power[reversed ? j : p];
      pair.worse = list.power[reversed ? p : j];
    }
    const auto costs = Function::at(pair, shape);
    double weight = 0;
    if (is_pair) weight = (by_grade ? gap : 1.0) * (list.weight[p] * list.weight[j]);
    const double pull = weight * costs.first;
    return {weight * costs.value, reversed ? -pull : pull, weight * costs.second};
  }

  PODIUM_BOTH void column(std::uint64_t j) const {
    double first = 0, second = 0;
    for (std::uint64_t p = 0; p < list.pivots && list.first_block(p) <= j / kPairBlock; ++p) {
      const PairedSums one = term(p, j);
      first = first - one.first;
      second = second + one.second;
    }
    list.first[j] = first;
    list.second[j] = second;
  }

  PODIUM_BOTH PairedSums part_of_row(std::uint64_t p, unsigned lane) const {
    PairedSums part{0, 0, 0};
    for (std::uint64_t j = list.first_block(p) * kPairBlock + lane; j - lane < list.documents;
         j += kPairBlock) {
      const PairedSums one = term(p, j);
      part.value += one.value;
      part.first += one.first;
      part.second += one.second;
    }
    return part;
  }

  template <double PairedSums::*member>
  PODIUM_BOTH static double total(const PairedSums* part) {
    return ((part[0].*member + part[4].*member) + (part[2].*member + part[6].*member)) +
           ((part[1].*member + part[5].*member) + (part[3].*member + part[7].*member));
  }

  template <class Block>
  PODIUM_BOTH void run(Block& block, PairedSums* partial) const {
    block.each([&](unsigned thread) {
      for (std::uint64_t j = thread; j < list.documents; j += kThreads) column(j);
    });
    for (std::uint64_t begin = 0; begin < list.pivots; begin += kPivotsAtOnce) {
      block.each([&](unsigned thread) {
        const std::uint64_t p = begin + thread / kPairBlock;
        if (p < list.pivots) partial[thread] = part_of_row(p, thread % kPairBlock);
      });
      block.each([&](unsigned thread) {
        const std::uint64_t p = begin + thread;
        if (thread >= kPivotsAtOnce || p >= list.pivots) return;
        const PairedSums* const parts = partial + thread * kPairBlock;
        list.value[p] = total<&PairedSums::value>(parts);
        list.first[p] += total<&PairedSums::first>(parts);
        list.second[p] += total<&PairedSums::second>(parts);
      });
    }
  }
};

// `FromPowers`: the same function from e^{σs}, or Function itself.
template <class Function, class FromPowers>
struct GradePairsKernel {
  static constexpr const char* kName = Function::kKernel;
  static constexpr unsigned kThreads = 128;
  using Args = GradePairArgs;

  // What all threads know.
  struct Shared {
    PairedSums partial[kThreads];
    double low[kThreads], high[kThreads];
    double value, centre;
    std::uint32_t not_finite, powers;
  };
  static constexpr std::size_t shared_bytes(std::size_t room) {
    return (sizeof(Shared) + 15) / 16 * 16 + room * PairedList::kBytes;
  }

  // False, with the query's value not a number, if a score is not finite.
  template <class Block>
  PODIUM_BOTH static bool load(Block& block, const Args& args, std::uint32_t query,
                               const PairedList& list, Shared& shared) {
    const std::uint64_t begin = args.arrays.begin[query];
    block.each([&](unsigned thread) {
      if (thread == 0) shared.not_finite = 0;
    });
    block.each([&](unsigned thread) {
      for (std::uint64_t place = thread; place < list.documents; place += kThreads) {
        const std::uint64_t row = begin + args.order[begin + place];
        const double score = args.arrays.scores[args.arrays.document(row)];
        if (!is_finite_number(score)) add_atomically(&shared.not_finite, 1);
        list.score[place] = args.sigma * score;
        list.grade[place] = args.grade[row];
        list.weight[place] = args.weight ? args.weight[row] : 1.0;
      }
    });
    const bool finite = shared.not_finite == 0;
    block.each([&](unsigned thread) {
      if (thread == 0 && !finite) args.arrays.value[query] = not_a_number();
    });
    return finite;
  }

  // Whether powers are used, and the powers.
  template <class Block>
  PODIUM_BOTH static bool fill_powers(Block& block, const Args& args, const PairedList& list,
                                      Shared& shared) {
    block.each([&](unsigned thread) {
      double low = list.score[0], high = low;
      for (std::uint64_t place = thread; place < list.documents; place += kThreads) {
        low = list.score[place] < low ? list.score[place] : low;
        high = list.score[place] > high ? list.score[place] : high;
      }
      shared.low[thread] = low;
      shared.high[thread] = high;
    });
    block.each([&](unsigned thread) {
      if (thread != 0) return;
      double low = shared.low[0], high = shared.high[0];
      for (unsigned k = 1; k < kThreads; ++k) {
        low = shared.low[k] < low ? shared.low[k] : low;
        high = shared.high[k] > high ? shared.high[k] : high;
      }
      shared.powers = high - low <= args.largest_range ? 1 : 0;
      shared.centre = low + 0.5 * (high - low);
    });
    const bool powers = shared.powers != 0;
    const double centre = shared.centre;
    if (powers)
      block.each([&](unsigned thread) {
        for (std::uint64_t place = thread; place < list.documents; place += kThreads)
          list.power[place] = one_lane::exp_of(list.score[place] - centre);
      });
    return powers;
  }

  // The sum of value[place] over the places that `counts`, by one thread, on top of shared.value.
  template <class Block, class Counts>
  PODIUM_BOTH static void add_values(Block& block, const PairedList& list, std::uint64_t end,
                                     Shared& shared, Counts&& counts) {
    block.each([&](unsigned thread) {
      if (thread != 0) return;
      double sum = 0;
      for (std::uint64_t place = 0; place < end; ++place)
        if (counts(place)) sum += list.value[place];
      shared.value += sum;
    });
  }

  // Documents of one grade: one thread per group.
  template <class Block>
  PODIUM_BOTH static void pull_together(Block& block, const PairedList& list, double tie,
                                        Shared& shared) {
    const auto begins = [&](std::uint64_t place) {
      return place == 0 || list.grade[place] != list.grade[place - 1];
    };
    block.each([&](unsigned thread) {
      for (std::uint64_t begin = thread; begin < list.documents; begin += kThreads)
        if (begins(begin)) pull_group(list, begin, tie);
    });
    add_values(block, list, list.documents, shared, begins);
  }
  PODIUM_BOTH static void pull_group(const PairedList& list, std::uint64_t begin, double tie) {
    const std::uint64_t end = list.group_end[begin];
    double total = 0, mean = 0, spread = 0;
    for (std::uint64_t place = begin; place < end; ++place) total += list.weight[place];
    list.value[begin] = 0;
    if (!(total > 0)) return;
    for (std::uint64_t place = begin; place < end; ++place)
      mean += list.weight[place] / total * list.score[place];
    for (std::uint64_t place = begin; place < end; ++place) {
      const double w = list.weight[place], away = list.score[place] - mean;
      spread += w * away * away;
      list.first[place] += tie * w * total * away;
      list.second[place] += tie * w * (total - w);
    }
    list.value[begin] = 0.5 * tie * total * spread;
  }

  template <class Block>
  PODIUM_BOTH static void run(Block& block, const Args& args) {
    const std::uint32_t query = args.queries[block.index()];
    const std::uint64_t begin = args.arrays.begin[query];
    auto& shared = *block.template shared<Shared>();
    PairedList list = PairedList::in(block.template shared<std::byte>(shared_bytes(0)), args.room,
                                     args.arrays.documents(query));
    list.group_end = args.group_end + begin;
    if (!load(block, args, query, list, shared)) return;
    // All places but those of the lowest grade.
    list.pivots = list.documents;
    while (list.pivots > 0 && list.group_end[list.pivots - 1] == list.documents) --list.pivots;
    bool powers = false;
    if constexpr (FromPowers::kFromPowers) powers = fill_powers(block, args, list, shared);
    if (powers)
      GradePairSums<FromPowers, kThreads>{list, args.shape, args.by_grade}.run(block,
                                                                               shared.partial);
    else
      GradePairSums<Function, kThreads>{list, args.shape, args.by_grade}.run(block, shared.partial);
    block.each([&](unsigned thread) {
      if (thread == 0) shared.value = 0;
    });
    add_values(block, list, list.pivots, shared, [](std::uint64_t) { return true; });
    if (args.tie > 0) pull_together(block, list, args.tie, shared);
    const double scale = args.scale[query];
    const double by_first = scale * args.sigma, by_second = scale * args.sigma * args.sigma;
    block.each([&](unsigned thread) {
      for (std::uint64_t place = thread; place < list.documents; place += kThreads)
        args.arrays.write(args.arrays.document(begin + args.order[begin + place]), query,
                          by_first * list.first[place], by_second * list.second[place]);
      if (thread == 0) args.arrays.value[query] = args.arrays.counted(query, scale * shared.value);
    });
  }
};

// A function with the name of its kernel.
#define PODIUM_PAIR_KERNEL(Name, Function, FromPowers, name) \
  struct Named##Function : one_lane::Function {              \
    static constexpr const char* kKernel = name;             \
  };                                                         \
  using Name = GradePairsKernel<Named##Function, one_lane::FromPowers>;

PODIUM_PAIR_KERNEL(LogisticPairsKernel, Logistic, LogisticFromPowers, "pairs_logistic")
PODIUM_PAIR_KERNEL(ExponentialPairsKernel, Exponential, Exponential, "pairs_exponential")
PODIUM_PAIR_KERNEL(FidelityPairsKernel, Fidelity, Fidelity, "pairs_fidelity")
PODIUM_PAIR_KERNEL(HingePairsKernel, Hinge, Hinge, "pairs_hinge")
PODIUM_PAIR_KERNEL(SquaredHingePairsKernel, SquaredHinge, SquaredHinge, "pairs_squared_hinge")
PODIUM_PAIR_KERNEL(MarginPairsKernel, Margin, Margin, "pairs_margin")
PODIUM_PAIR_KERNEL(LiteralMarginPairsKernel, LiteralMargin, LiteralMargin, "pairs_literal_margin")
#undef PODIUM_PAIR_KERNEL

}  // namespace podium

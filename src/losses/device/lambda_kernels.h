// Kernels of λ-rules (losses/lambda/lambda.h): one block per query.
//
// The CPU adds up pivot by pivot: pivot p with all ranks j after it, in blocks of kPairBlock pairs,
// the p-th row of sums in kPairBlock partial sums. Each of these sums has one order, and different
// sums do not meet before they are complete. So a thread here does one of them from its first term
// to its last: for each document the terms that it gets from the pivots above it (columns), for
// each pivot and each of its partial sums the terms of every kPairBlock-th rank (rows). Pairs are
// computed twice, which costs less than exchanging them. Also included are the same terms of
// weight 0 as on the CPU: they matter if a cost is not finite.
#pragma once

#include <cstdint>

#include "core/math_inline.h"
#include "device/kernel.h"
#include "losses/device/loss_arrays.h"
#include "losses/device/pair_weights.h"
#include "losses/device/rank_kernels.h"
#include "losses/device/squared_length.h"

namespace podium {

enum class LambdaScaling : std::uint8_t { none, query, near };

struct LambdaArgs {
  LossArrays arrays;
  const std::uint32_t* queries;  // one per block
  // By row.
  const std::uint32_t* by_hash;  // rows of each query, in the order of equal scores
  const float* grade;
  const double* term;   // WeightForm
  const float* weight;  // of documents; null: 1
  // By query.
  const double *factor, *query_weight;

  WeightForm::Kind kind;
  LambdaScaling scaling;
  const double *of_rank, *of_distance;  // WeightForm
  double sigma, nearest, largest_range;
  std::uint64_t pivots;

  std::uint64_t room;                  // short lists: for documents
  std::byte* scratch;                  // long lists
  const std::uint64_t* scratch_begin;  // of each block
};

// What all threads of a block know.
struct LambdaShared {
  std::uint32_t not_finite;
  double scale;
  DevicePairWeights weights;
};

// The derivatives of a ranked list, before scaling.
template <class Function, unsigned kThreads>
struct LambdaSums {
  struct Partial {
    double force, first, second;
  };
  static constexpr std::size_t kSharedBytes = kThreads * sizeof(Partial);
  static constexpr unsigned kPivotsAtOnce = kThreads / kPairBlock;

  const RankedList& list;
  const DevicePairWeights& weights;
  PairShape shape;
  std::uint64_t pivots;

  struct Term {
    double pull, slope, curvature;
  };
  // j may be any place of a block with pairs of p, also behind the last document.
  PODIUM_BOTH Term term(std::uint64_t p, std::uint64_t j) const {
    const bool is_pair = j > p && j < list.documents;
    if (j >= list.documents) j = list.documents - 1;
    const double gap = double{list.grade[p]} - list.grade[j];
    const bool reversed = gap < 0;
    const double lead = list.score[p] - list.score[j];
    one_lane::Pairs pair{reversed ? -lead : lead, one_lane::magnitude(lead),
                         one_lane::magnitude(gap), 0, 0};
    if constexpr (Function::kFromPowers) {
      pair.better = list.power[reversed ? j : p];
      pair.worse = list.power[reversed ? p : j];
    }
    const auto costs = Function::at(pair, shape);
    const double weight = is_pair ? weights.of(list, p, j) : 0;
    const double pull = weight * costs.first;
    return {pull, reversed ? -pull : pull, weight * costs.second};
  }

  PODIUM_BOTH void column(std::uint64_t j) const {
    double first = 0, second = 0;
    const std::uint64_t in_block = (j / kPairBlock + 1) * kPairBlock - 1;
    const std::uint64_t end = in_block < pivots ? in_block : pivots;
    for (std::uint64_t p = 0; p < end; ++p) {
      const Term one = term(p, j);
      first = first - one.slope;
      second = second + one.curvature;
    }
    list.first[j] = first;
    list.second[j] = second;
  }

  PODIUM_BOTH Partial part_of_row(std::uint64_t p, unsigned lane) const {
    Partial part{0, 0, 0};
    for (std::uint64_t j = (p + 1) / kPairBlock * kPairBlock + lane; j - lane < list.documents;
         j += kPairBlock) {
      const Term one = term(p, j);
      part.force -= one.pull;
      part.first += one.slope;
      part.second += one.curvature;
    }
    return part;
  }

  template <double Partial::*member>
  PODIUM_BOTH static double total(const Partial* part) {
    return ((part[0].*member + part[4].*member) + (part[2].*member + part[6].*member)) +
           ((part[1].*member + part[5].*member) + (part[3].*member + part[7].*member));
  }

  template <class Block>
  PODIUM_BOTH void run(Block& block, Partial* partial) const {
    block.each([&](unsigned thread) {
      for (std::uint64_t j = thread; j < list.documents; j += kThreads) column(j);
    });
    for (std::uint64_t begin = 0; begin < pivots; begin += kPivotsAtOnce) {
      block.each([&](unsigned thread) {
        const std::uint64_t p = begin + thread / kPairBlock;
        if (p < pivots) partial[thread] = part_of_row(p, thread % kPairBlock);
      });
      block.each([&](unsigned thread) {
        const std::uint64_t p = begin + thread;
        if (thread >= kPivotsAtOnce || p >= pivots) return;
        const Partial* const parts = partial + thread * kPairBlock;
        list.force[p] = total<&Partial::force>(parts);
        list.first[p] += total<&Partial::first>(parts);
        list.second[p] += total<&Partial::second>(parts);
      });
    }
  }
};

template <unsigned kThreads>
struct LambdaQuery {
  template <class Function>
  using Sums = LambdaSums<Function, kThreads>;
  using Partial = typename Sums<one_lane::LogisticSlopes>::Partial;
  static constexpr std::size_t kHeadBytes =
      kThreads * sizeof(Partial) + (sizeof(LambdaShared) + 15) / 16 * 16;

  // Sums the pairs by the function that the CPU uses for scores of this range.
  template <class Block>
  PODIUM_BOTH static void sum(Block& block, const LambdaArgs& args, const RankedList& list,
                              const DevicePairWeights& weights, bool near, bool powers) {
    const std::uint64_t most = list.documents - 1;
    const std::uint64_t pivots = args.pivots < most ? args.pivots : most;
    const PairShape shape{0, 0, near ? args.nearest : 0};
    auto* const partial = block.template shared<unsigned char>();
    const auto run = [&](auto function) {
      using Function = decltype(function);
      Sums<Function>{list, weights, shape, pivots}.run(
          block, reinterpret_cast<typename Sums<Function>::Partial*>(partial));
    };
    if (near && powers)
      run(one_lane::NearLogisticSlopes{});
    else if (near)
      run(one_lane::NearLogistic{});
    else if (powers)
      run(one_lane::LogisticSlopes{});
    else
      run(one_lane::Logistic{});
  }

  // Of a query's derivatives.
  PODIUM_BOTH static double scale_of(const LambdaArgs& args, const RankedList& list,
                                     std::uint32_t query, bool near) {
    double sum = 0;
    const std::uint64_t most = list.documents - 1;
    for (std::uint64_t p = 0; p < args.pivots && p < most; ++p) sum += list.force[p];
    const double near_scale = near ? args.sigma : 1;
    const double force = 2 * near_scale * args.sigma * sum;
    return args.query_weight[query] * near_scale *
           (args.scaling != LambdaScaling::none && force > 0 ? math::log2_inline(1 + force) / force
                                                             : 1);
  }

  // Writes the derivatives, and the squared length of the gradient.
  template <class Block>
  PODIUM_BOTH static void write(Block& block, const LambdaArgs& args, const RankedList& list,
                                std::uint32_t query, double scale) {
    const std::uint64_t begin = args.arrays.begin[query], n = list.documents;
    const double by_first = scale * args.sigma, by_second = scale * args.sigma * args.sigma;
    double *const by_row = list.power, *const squares = list.term;
    block.each([&](unsigned thread) {
      for (std::uint64_t r = thread; r < n; r += kThreads) {
        const std::uint32_t row = list.row[r];
        const double slope = by_first * list.first[r];
        args.arrays.write(args.arrays.document(begin + row), query, slope,
                          by_second * list.second[r]);
        by_row[row] = args.arrays.counted(query, slope);
      }
    });
    block.each([&](unsigned thread) {
      for (std::uint64_t i = thread; i < n / 4; i += kThreads)
        squares[i] = sum_of_four_squares(by_row + 4 * i);
    });
    block.each([&](unsigned thread) {
      if (thread != 0) return;
      double sum = 0;
      for (std::uint64_t i = 0; i < n / 4; ++i) sum += squares[i];
      for (std::uint64_t i = n / 4 * 4; i < n; ++i) sum += by_row[i] * by_row[i];
      args.arrays.value[query] = sum;
    });
  }

  // Fills score (not yet times σ), row, grade, term and weight by rank. False if a score is not
  // finite.
  template <bool kLong, class Block>
  PODIUM_BOTH static bool rank(Block& block, const LambdaArgs& args, const RankedList& list,
                               RankKey* keys, std::uint32_t query, LambdaShared& shared) {
    const std::uint64_t begin = args.arrays.begin[query], n = list.documents;
    double* const by_hash = list.power;
    block.each([&](unsigned thread) {
      if (thread == 0) shared.not_finite = 0;
    });
    block.each([&](unsigned thread) {
      for (std::uint64_t i = thread; i < n; i += kThreads) {
        const double score =
            args.arrays.scores[args.arrays.document(begin + args.by_hash[begin + i])];
        by_hash[i] = score;
        if constexpr (kLong) keys[i] = {descending_bits(score), static_cast<std::uint32_t>(i)};
        if (!is_finite_number(score)) add_atomically(&shared.not_finite, 1);
      }
    });
    const bool finite = shared.not_finite == 0;
    block.sync();
    if (!finite) return false;
    const auto put = [&](std::uint64_t r, std::uint32_t place) {
      const std::uint32_t row = args.by_hash[begin + place];
      list.row[r] = row;
      list.score[r] = by_hash[place];
      list.grade[r] = args.grade[begin + row];
      list.term[r] = args.term[begin + row];
      if (args.weight) list.weight[r] = args.weight[begin + row];
    };
    if constexpr (kLong) {
      sort_keys<kThreads>(block, keys, n);
      block.each([&](unsigned thread) {
        for (std::uint64_t r = thread; r < n; r += kThreads) put(r, keys[r].place);
      });
    } else {
      rank_by_counting<kThreads>(block, by_hash, n, put);
    }
    return true;
  }

  template <bool kLong, class Block>
  PODIUM_BOTH static void run(Block& block, const LambdaArgs& args) {
    const std::uint32_t query = args.queries[block.index()];
    const std::uint64_t n = args.arrays.documents(query);
    auto* memory = block.template shared<std::byte>(kHeadBytes);
    RankKey* keys = nullptr;
    std::uint64_t room = args.room;
    if constexpr (kLong) {
      memory = args.scratch + args.scratch_begin[block.index()];
      keys = reinterpret_cast<RankKey*>(memory);
      room = sorting_room(n);
      memory += room * sizeof(RankKey);
    }
    const RankedList list = RankedList::in(memory, room, n);
    auto& shared = *block.template shared<LambdaShared>(kThreads * sizeof(Partial));
    if (!rank<kLong>(block, args, list, keys, query, shared)) {
      block.each([&](unsigned thread) {
        if (thread == 0) args.arrays.value[query] = not_a_number();
      });
      return;
    }
    const bool near = args.scaling == LambdaScaling::near && list.score[0] != list.score[n - 1];
    // Multiplying by σ keeps the order.
    const double high = args.sigma * list.score[0], low = args.sigma * list.score[n - 1];
    const bool powers = high - low <= args.largest_range;
    const double centre = low + 0.5 * (high - low);
    block.sync();
    block.each([&](unsigned thread) {
      for (std::uint64_t r = thread; r < n; r += kThreads) {
        const double score = args.sigma * list.score[r];
        list.score[r] = score;
        if (powers) list.power[r] = one_lane::exp_of(score - centre);
      }
      if (thread != 0) return;
      shared.weights = {
          args.kind, args.weight != nullptr, args.of_rank, args.of_distance, args.factor[query], 0,
          0};
      shared.weights.prepare(list);
    });
    const DevicePairWeights weights = shared.weights;
    sum(block, args, list, weights, near, powers);
    block.each([&](unsigned thread) {
      if (thread == 0) shared.scale = scale_of(args, list, query, near);
    });
    write(block, args, list, query, shared.scale);
  }
};

// Lists that fit into shared memory.
struct LambdaShortKernel {
  static constexpr const char* kName = "lambda_short";
  static constexpr unsigned kThreads = 128, kBlocksAtOnce = 8;
  using Args = LambdaArgs;
  static constexpr std::size_t shared_bytes(std::size_t room) {
    return LambdaQuery<kThreads>::kHeadBytes + room * RankedList::kBytes;
  }
  template <class Block>
  PODIUM_BOTH static void run(Block& block, const Args& args) {
    LambdaQuery<kThreads>::template run<false>(block, args);
  }
};

// Lists in global memory.
struct LambdaLongKernel {
  static constexpr const char* kName = "lambda_long";
  static constexpr unsigned kThreads = 256;
  using Args = LambdaArgs;
  static constexpr std::size_t kSharedBytes = LambdaQuery<kThreads>::kHeadBytes;
  static std::size_t scratch_bytes(std::size_t documents) {
    return sorting_room(documents) * (sizeof(RankKey) + RankedList::kBytes);
  }
  template <class Block>
  PODIUM_BOTH static void run(Block& block, const Args& args) {
    LambdaQuery<kThreads>::template run<true>(block, args);
  }
};

// Queries without information: no derivatives.
struct NoDerivativesArgs {
  LossArrays arrays;
  const std::uint32_t* queries;  // one per block
};
struct NoDerivativesKernel {
  static constexpr const char* kName = "loss_no_derivatives";
  static constexpr unsigned kThreads = 64;
  using Args = NoDerivativesArgs;
  template <class Block>
  PODIUM_BOTH static void run(Block& block, const Args& args) {
    const std::uint32_t query = args.queries[block.index()];
    const std::uint64_t begin = args.arrays.begin[query], n = args.arrays.documents(query);
    auto* const not_finite = block.template shared<std::uint32_t>();
    block.each([&](unsigned thread) {
      if (thread == 0) *not_finite = 0;
    });
    block.each([&](unsigned thread) {
      for (std::uint64_t i = thread; i < n; i += kThreads) {
        const std::uint64_t at = args.arrays.document(begin + i);
        if (!is_finite_number(args.arrays.scores[at])) add_atomically(not_finite, 1);
        args.arrays.first[at] = args.arrays.second[at] = 0;
      }
    });
    block.each([&](unsigned thread) {
      if (thread == 0) args.arrays.value[query] = *not_finite > 0 ? not_a_number() : 0;
    });
  }
};

}  // namespace podium

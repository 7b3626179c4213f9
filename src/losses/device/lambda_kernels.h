// Kernels of λ-rules (losses/lambda/lambda.h): one block per query ranks its documents, prepares
// what the weights need, sums the pairs (lambda_sums.h), scales the sums and writes them.
#pragma once

#include <cstdint>

#include "core/math_inline.h"
#include "device/kernel.h"
#include "losses/device/lambda_sums.h"
#include "losses/device/loss_arrays.h"
#include "losses/device/rank_kernels.h"
#include "losses/device/squared_length.h"

namespace podium {

enum class LambdaScaling : std::uint8_t { none, query, near };

struct LambdaArgs {
  LossArrays arrays;
  const std::uint32_t* queries;  // one per block
  // By row.
  const std::uint32_t* by_hash;  // rows of each query, in the order of equal scores
  const float* weight;           // of documents; null: 1
  // Grades and terms (WeightForm): by row, or where few grades occur, by the code of a row's grade.
  const std::uint8_t* code;  // by row; null: there are none
  const float* grade;        // by code
  const double* term;        // by query, and then by code
  std::uint32_t codes;
  // By query.
  const double *factor, *query_weight;

  WeightForm::Kind kind;
  LambdaScaling scaling;
  const double *of_rank, *of_distance;  // WeightForm
  double* rows;                         // of expected_rank
  const std::uint64_t* rows_begin;      // by query
  double sigma, nearest, largest_range;
  std::uint64_t pivots;

  std::uint64_t room;                  // short lists: for documents
  std::byte* scratch;                  // long lists
  const std::uint64_t* scratch_begin;  // of each block

  PODIUM_BOTH std::uint64_t pivots_of(const RankedList& list) const {
    return pivots < list.documents - 1 ? pivots : list.documents - 1;
  }
};

// What all threads of a block know.
struct LambdaShared {
  std::uint32_t not_finite;
  double scale;
  DevicePairWeights weights;
};

template <unsigned kThreads>
struct LambdaQuery {
  static constexpr std::size_t kHeadBytes =
      kThreads * sizeof(PairSums) + (sizeof(LambdaShared) + 15) / 16 * 16;

  // Sums the pairs by the function that the CPU uses for scores of this range.
  template <class Block>
  PODIUM_BOTH static void sum(Block& block, const LambdaArgs& args, const RankedList& list,
                              const DevicePairWeights& weights, bool near, bool powers) {
    const std::uint64_t pivots = args.pivots_of(list);
    const PairShape shape{0, 0, near ? args.nearest : 0};
    auto* const partial = block.template shared<PairSums>();
    const auto run = [&](auto function) {
      LambdaSums<decltype(function), kThreads>{list, weights, shape, pivots}.run(block, partial);
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
    const std::uint64_t pivots = args.pivots_of(list);
    for (std::uint64_t p = 0; p < pivots; ++p) sum += list.force[p];
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
      const std::uint64_t at = args.code ? args.code[begin + row] : begin + row;
      list.grade[r] = args.grade[at];
      list.term[r] = args.term[args.code ? std::uint64_t{query} * args.codes + at : at];
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

  PODIUM_BOTH static void prepare_weights(const LambdaArgs& args, const RankedList& list,
                                          std::uint32_t query, DevicePairWeights& weights) {
    weights = {.kind = args.kind,
               .by_document = args.weight != nullptr,
               .of_rank = args.of_rank,
               .of_distance = args.of_distance,
               .factor = args.factor[query],
               .rows = args.rows ? args.rows + args.rows_begin[query] : nullptr,
               .first_relevant = 0,
               .second_relevant = 0};
    weights.prepare(list);
  }

  // How the scores of a list are used.
  struct Range {
    bool near, powers;
    double centre;
  };
  // Multiplying by σ keeps the order.
  PODIUM_BOTH static Range range_of(const LambdaArgs& args, const RankedList& list) {
    const double first = list.score[0], last = list.score[list.documents - 1];
    const double high = args.sigma * first, low = args.sigma * last;
    return {args.scaling == LambdaScaling::near && first != last, high - low <= args.largest_range,
            low + 0.5 * (high - low)};
  }

  // Multiplies scores by σ, and prepares powers and weights.
  template <class Block>
  PODIUM_BOTH static DevicePairWeights prepare(Block& block, const LambdaArgs& args,
                                               const RankedList& list, const Range& range,
                                               std::uint32_t query, LambdaShared& shared) {
    block.each([&](unsigned thread) {
      for (std::uint64_t r = thread; r < list.documents; r += kThreads) {
        const double score = args.sigma * list.score[r];
        list.score[r] = score;
        if (range.powers) list.power[r] = one_lane::exp_of(score - range.centre);
      }
      if (thread == 0) prepare_weights(args, list, query, shared.weights);
    });
    const DevicePairWeights weights = shared.weights;
    if (args.kind == WeightForm::Kind::expected_rank)
      block.each([&](unsigned thread) {
        for (std::uint64_t p = thread; p < args.pivots_of(list); p += kThreads)
          weights.fill_row(list, p);
      });
    return weights;
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
    auto& shared = *block.template shared<LambdaShared>(kThreads * sizeof(PairSums));
    if (!rank<kLong>(block, args, list, keys, query, shared)) {
      block.each([&](unsigned thread) {
        if (thread == 0) args.arrays.value[query] = not_a_number();
      });
      return;
    }
    const Range range = range_of(args, list);
    block.sync();
    const DevicePairWeights weights = prepare(block, args, list, range, query, shared);
    sum(block, args, list, weights, range.near, range.powers);
    block.each([&](unsigned thread) {
      if (thread == 0) shared.scale = scale_of(args, list, query, range.near);
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

}  // namespace podium

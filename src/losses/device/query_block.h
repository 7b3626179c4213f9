// What the kernels of smooth losses do with a block per query: sums over rows in the order of the
// CPU, whose terms are computed side by side.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/math_inline.h"
#include "device/kernel.h"
#include "losses/device/loss_arrays.h"

namespace podium {

struct SmoothLossArgs {
  LossArrays arrays;
  const std::uint32_t* queries;  // one per block
  const float* weight;           // of each row; null: 1
  const double* query_weight;
  const double* target;  // of each row
  std::uint32_t outputs;

  // Of a row.
  PODIUM_BOTH double weight_of(std::uint32_t query, std::uint64_t row) const {
    return query_weight[query] * own_weight(row);
  }
  PODIUM_BOTH double own_weight(std::uint64_t row) const { return weight ? weight[row] : 1.0; }
  PODIUM_BOTH std::uint64_t place(std::uint64_t row, std::uint64_t output) const {
    return arrays.document(row) * outputs + output;
  }
};

template <unsigned kThreads>
struct QueryBlockShared {
  double term[kThreads], top[kThreads];
  double sum, largest, log_total;
  std::uint32_t not_finite;
  bool rises[kThreads];
};

template <unsigned kThreads, class BlockType>
struct QueryBlock {
  using Shared = QueryBlockShared<kThreads>;

  BlockType& block;
  const SmoothLossArgs& args;
  Shared& shared;
  std::uint32_t query;
  std::uint64_t begin, rows;

  PODIUM_BOTH QueryBlock(BlockType& of, const SmoothLossArgs& with)
      : block(of),
        args(with),
        shared(*of.template shared<Shared>()),
        query(with.queries[of.index()]),
        begin(with.arrays.begin[query]),
        rows(with.arrays.documents(query)) {}

  // Sets the query's value to NaN if not.
  PODIUM_BOTH bool scores_are_finite() {
    block.each([&](unsigned thread) {
      if (thread == 0) shared.not_finite = 0;
    });
    block.each([&](unsigned thread) {
      for (std::uint64_t i = thread; i < rows * args.outputs; i += kThreads)
        if (!is_finite_number(args.arrays.scores[begin * args.outputs + i]))
          add_atomically(&shared.not_finite, 1);
    });
    const bool finite = shared.not_finite == 0;
    block.each([&](unsigned thread) {
      if (thread == 0 && !finite) args.arrays.value[query] = not_a_number();
    });
    return finite;
  }

  // Σ term(i), i = 0 … count − 1.
  template <class Term>
  PODIUM_BOTH double sum(std::uint64_t count, Term&& term) {
    block.each([&](unsigned thread) {
      if (thread == 0) shared.sum = 0;
    });
    for (std::uint64_t at = 0; at < count; at += kThreads) {
      block.each([&](unsigned thread) {
        if (at + thread < count) shared.term[thread] = term(at + thread);
      });
      block.each([&](unsigned thread) {
        if (thread != 0) return;
        double sum = shared.sum;
        for (unsigned k = 0; k < kThreads && at + k < count; ++k) sum += shared.term[k];
        shared.sum = sum;
      });
    }
    const double sum = shared.sum;
    block.sync();
    return sum;
  }

  // log Σ exp(score(i)), as losses/listwise/log_sum.h.
  template <class Score>
  PODIUM_BOTH double log_sum(Score&& score) {
    block.each([&](unsigned thread) {
      if (thread != 0) return;
      shared.largest = -math::kInfinity;
      shared.sum = 0;
    });
    for (std::uint64_t at = 0; at < rows; at += kThreads) {
      const auto each_row = [&](auto&& use) {
        for (unsigned k = 0; k < kThreads && at + k < rows; ++k) use(k);
      };
      block.each([&](unsigned thread) {
        if (at + thread < rows) shared.term[thread] = score(at + thread);
      });
      block.each([&](unsigned thread) {  // the largest of those before
        if (thread != 0) return;
        double top = shared.largest;
        each_row([&](unsigned k) {
          shared.top[k] = top;
          if (!(shared.term[k] <= top)) top = shared.term[k];
        });
        shared.largest = top;
      });
      block.each([&](unsigned thread) {
        if (at + thread >= rows) return;
        const double x = shared.term[thread], top = shared.top[thread];
        shared.rises[thread] = !(x <= top);
        shared.term[thread] = math::exp_inline(x <= top ? x - top : top - x);
      });
      block.each([&](unsigned thread) {
        if (thread != 0) return;
        double sum = shared.sum;
        each_row([&](unsigned k) {
          sum = shared.rises[k] ? sum * shared.term[k] + 1 : sum + shared.term[k];
        });
        shared.sum = sum;
      });
    }
    block.each([&](unsigned thread) {
      if (thread == 0) shared.log_total = shared.largest + math::log_inline(shared.sum);
    });
    const double log_total = shared.log_total;
    block.sync();
    return log_total;
  }

  PODIUM_BOTH void write_value(double value) {
    block.each([&](unsigned thread) {
      if (thread == 0) args.arrays.value[query] = args.arrays.counted(query, value);
    });
  }
};

}  // namespace podium

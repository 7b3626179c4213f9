// Kernels of smooth losses, one block per query, with the arithmetic of losses/pointwise/ and of
// losses/listwise/cross_entropy.cc.
#pragma once

#include <cmath>
#include <cstdint>

#include "losses/device/query_block.h"

namespace podium {

struct SquaredKernel {
  static constexpr const char* kName = "loss_squared";
  static constexpr unsigned kThreads = 128;
  using Args = SmoothLossArgs;
  template <class Block>
  PODIUM_BOTH static void run(Block& block, const Args& args) {
    QueryBlock<kThreads, Block> at(block, args);
    if (!at.scores_are_finite()) return;
    at.write_value(at.sum(at.rows, [&](std::uint64_t i) {
      const std::uint64_t row = at.begin + i, place = args.arrays.document(row);
      const double w = args.weight_of(at.query, row);
      const double error = args.arrays.scores[place] - args.target[row];
      args.arrays.write(place, at.query, w * error, w);
      return 0.5 * w * error * error;
    }));
  }
};

struct QuerySquaredKernel {
  static constexpr const char* kName = "loss_query_squared";
  static constexpr unsigned kThreads = 128;
  using Args = SmoothLossArgs;
  template <class Block>
  PODIUM_BOTH static void run(Block& block, const Args& args) {
    QueryBlock<kThreads, Block> at(block, args);
    if (!at.scores_are_finite()) return;
    const auto error_of = [&](std::uint64_t row) {
      return args.arrays.scores[args.arrays.document(row)] - args.target[row];
    };
    double shift = at.sum(at.rows, [&](std::uint64_t i) {
      return args.own_weight(at.begin + i) * error_of(at.begin + i);
    });
    const double total =
        at.sum(at.rows, [&](std::uint64_t i) { return args.own_weight(at.begin + i); });
    if (total > 0) shift /= total;
    at.write_value(at.sum(at.rows, [&](std::uint64_t i) {
      const std::uint64_t row = at.begin + i;
      const double error = error_of(row) - shift, w = args.weight_of(at.query, row);
      args.arrays.write(args.arrays.document(row), at.query, w * error, w);
      return 0.5 * w * error * error;
    }));
  }
};

// target: the probability.
struct CrossEntropyKernel {
  static constexpr const char* kName = "loss_cross_entropy";
  static constexpr unsigned kThreads = 128;
  using Args = SmoothLossArgs;
  template <class Block>
  PODIUM_BOTH static void run(Block& block, const Args& args) {
    QueryBlock<kThreads, Block> at(block, args);
    if (!at.scores_are_finite()) return;
    const auto score_of = [&](std::uint64_t i) {
      return args.arrays.scores[args.arrays.document(at.begin + i)];
    };
    const auto mass_of = [&](std::uint64_t i) {
      return args.weight_of(at.query, at.begin + i) * args.target[at.begin + i];
    };
    const double log_total = at.log_sum(score_of);
    const double total = at.sum(at.rows, mass_of);
    at.write_value(at.sum(at.rows, [&](std::uint64_t i) {
      const double mass = mass_of(i), score = score_of(i);
      const double p = math::exp_inline(score - log_total);
      args.arrays.write(args.arrays.document(at.begin + i), at.query, -mass + total * p,
                        total * p * (1 - p));
      return mass > 0 ? mass * (log_total - score) : 0;
    }));
  }
};

struct GradeClassesArgs {
  SmoothLossArgs smooth;  // target: the class; for thresholds the grade
  const double* grades;   // of the classes
  double least_curvature;
};

struct MultinomialKernel {
  static constexpr const char* kName = "loss_multinomial";
  static constexpr unsigned kThreads = 128;
  using Args = GradeClassesArgs;

  // As losses/listwise/log_sum.h.
  PODIUM_BOTH static double log_sum(const double* outputs, std::uint32_t classes) {
    double top = -math::kInfinity, sum = 0;
    for (std::uint32_t k = 0; k < classes; ++k) {
      const double x = outputs[k];
      if (x <= top) {
        sum += math::exp_inline(x - top);
      } else {
        sum = sum * math::exp_inline(top - x) + 1;
        top = x;
      }
    }
    return top + math::log_inline(sum);
  }

  template <class Block>
  PODIUM_BOTH static void run(Block& block, const Args& args) {
    const SmoothLossArgs& smooth = args.smooth;
    QueryBlock<kThreads, Block> at(block, smooth);
    if (!at.scores_are_finite()) return;
    const std::uint32_t classes = smooth.outputs;
    const double rescale =
        classes > 1 ? static_cast<double>(classes) / static_cast<double>(classes - 1) : 1;
    at.write_value(at.sum(at.rows, [&](std::uint64_t i) {
      const std::uint64_t row = at.begin + i, place = smooth.place(row, 0);
      const double w = smooth.weight_of(at.query, row);
      const double* const outputs = smooth.arrays.scores + place;
      const auto target = static_cast<std::uint32_t>(smooth.target[row]);
      const double log_total = log_sum(outputs, classes);
      for (std::uint32_t k = 0; k < classes; ++k) {
        const double p = math::exp_inline(outputs[k] - log_total), bend = p * (1 - p);
        smooth.arrays.write(
            place + k, at.query, w * (p - (k == target ? 1.0 : 0.0)),
            w * rescale * (args.least_curvature < bend ? bend : args.least_curvature));
      }
      return w * (log_total - outputs[target]);
    }));
  }
};

struct OrdinalKernel {
  static constexpr const char* kName = "loss_ordinal";
  static constexpr unsigned kThreads = 128;
  using Args = GradeClassesArgs;
  template <class Block>
  PODIUM_BOTH static void run(Block& block, const Args& args) {
    const SmoothLossArgs& smooth = args.smooth;
    QueryBlock<kThreads, Block> at(block, smooth);
    if (!at.scores_are_finite()) return;
    const std::uint32_t thresholds = smooth.outputs;
    at.write_value(at.sum(at.rows * thresholds, [&](std::uint64_t item) {
      const std::uint64_t row = at.begin + item / thresholds, k = item % thresholds;
      const std::uint64_t place = smooth.place(row, k);
      const double w = smooth.weight_of(at.query, row);
      const double f = smooth.arrays.scores[place];
      const double side = smooth.target[row] > args.grades[k] ? 1 : -1;
      const double small = math::exp_inline(-std::abs(f));
      const double lead = -side * f;
      const double wrong = (side * f > 0 ? small : 1) / (1 + small);
      const double bend = small / ((1 + small) * (1 + small));
      smooth.arrays.write(place, at.query, -side * w * wrong,
                          w * (args.least_curvature < bend ? bend : args.least_curvature));
      return w * ((0.0 < lead ? lead : 0.0) + math::log1p_inline(small));
    }));
  }
};

}  // namespace podium

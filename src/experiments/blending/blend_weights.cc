// Implements podium/blend.h.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "core/exact_sum.h"
#include "experiments/blending/usable_data.h"
#include "line_search/exact_line_search.h"
#include "models/blend/blend.h"
#include "models/model_kinds.h"
#include "podium/blend.h"
#include "podium/error.h"
#include "podium/split.h"

namespace podium {
namespace {

using Scores = std::vector<std::vector<double>>;

constexpr std::array kShrinkages = {1.0, 0.75, 0.5, 0.25, 0.0};  // the first of equal ones is kept
constexpr int kMostPasses = 10;
constexpr double kLeastBlendGain = 1e-9;  // of a pass
constexpr double kFarthest = 10;          // times the weights of all other members
constexpr std::size_t kLeastFoldQueries = 2;

std::vector<double> sum_of_scores(const Scores& scores, std::span<const double> weights) {
  std::vector<double> sum(scores.front().size());
  for (std::size_t m = 0; m < scores.size(); ++m) add_scaled(weights[m], scores[m], sum);
  return sum;
}

std::vector<double> equal_weights(std::size_t members) {
  return std::vector<double>(members, 1 / static_cast<double>(members));
}

double total_size(std::span<const double> weights) {
  return std::accumulate(weights.begin(), weights.end(), 0.0,
                         [](double sum, double w) { return sum + std::abs(w); });
}

void normalize_weights(std::vector<double>& weights) {
  const double size = total_size(weights);
  for (double& weight : weights) weight /= size;
}

// Ascends from equal weights, one member at a time, until a pass gains nothing.
class WeightSearch {
 public:
  WeightSearch(const Dataset& data, const Scores& scores, const BlendOptions& options,
               Context& context)
      : scores_(scores),
        options_(options),
        context_(context),
        search_(data, options.measure, options.convention, context) {}

  std::vector<double> optimum() const {
    std::vector<double> weights = equal_weights(scores_.size());
    double value = -std::numeric_limits<double>::infinity();
    for (int pass = 0; pass < kMostPasses; ++pass) {
      double reached = value;
      for (std::size_t m = 0; m < weights.size(); ++m) reached = move(m, weights).value_or(reached);
      normalize_weights(weights);
      if (!(reached > value + kLeastBlendGain)) break;
      value = reached;
    }
    return weights;
  }

 private:
  // The value after the move; nullopt if only this member has a weight, so that it changes nothing.
  std::optional<double> move(std::size_t m, std::vector<double>& weights) const {
    std::vector<double> others = weights;
    others[m] = 0;
    const double size = total_size(others);
    if (!(size > 0)) return {};
    const std::vector<double> base = sum_of_scores(scores_, others);
    const double far = kFarthest * size;
    const LineSearchResult found =
        search_.search({.base = base,
                        .direction = scores_[m],
                        .low = options_.signs == BlendOptions::Signs::any ? -far : 0,
                        .high = far,
                        .current = weights[m]},
                       context_);
    if (!found.holds_current) weights[m] = found.middle;
    return found.best.value;
  }

  const Scores& scores_;
  const BlendOptions& options_;
  Context& context_;
  ExactLineSearch search_;
};

std::vector<double> shrunk(std::span<const double> optimum, double shrinkage) {
  std::vector<double> weights = equal_weights(optimum.size());
  for (std::size_t m = 0; m < weights.size(); ++m)
    weights[m] = (1 - shrinkage) * optimum[m] + shrinkage * weights[m];
  normalize_weights(weights);
  return weights;
}

double value_of(const Dataset& data, const Scores& scores, std::span<const double> weights,
                const BlendOptions& options, Context& context) {
  return evaluate(options.measure, options.convention, data, sum_of_scores(scores, weights),
                  context);
}

struct Part {
  Dataset data;
  Scores scores;
};
Part part_of(const Dataset& data, const Scores& scores, std::span<const std::size_t> queries) {
  Part part{select_queries(data, queries), Scores(scores.size())};
  for (std::size_t m = 0; m < scores.size(); ++m)
    for (const std::size_t q : queries)
      part.scores[m].insert(part.scores[m].end(),
                            scores[m].begin() + static_cast<std::ptrdiff_t>(data.begin(q)),
                            scores[m].begin() + static_cast<std::ptrdiff_t>(data.end(q)));
  return part;
}

// The mean value on held-out folds for each shrinkage; empty if there are too few queries.
std::vector<double> held_out_values(const Dataset& data, const Scores& scores,
                                    const BlendOptions& options, Context& context) {
  const std::size_t folds = std::min(options.folds, data.queries() / kLeastFoldQueries);
  if (folds < 2) return {};
  const auto parts = split_queries(data, std::vector<double>(folds, 1.0), context.seed);
  std::vector<double> sums(kShrinkages.size());
  double weight = 0;
  for (std::size_t f = 0; f < folds; ++f) {
    std::vector<std::size_t> rest;
    for (std::size_t other = 0; other < folds; ++other)
      if (other != f) rest.insert(rest.end(), parts[other].begin(), parts[other].end());
    std::sort(rest.begin(), rest.end());
    const Part found = part_of(data, scores, rest), judged = part_of(data, scores, parts[f]);
    const std::vector<double> optimum =
        WeightSearch(found.data, found.scores, options, context).optimum();
    const auto queries = static_cast<double>(parts[f].size());
    for (std::size_t k = 0; k < kShrinkages.size(); ++k) {
      const double value =
          value_of(judged.data, judged.scores, shrunk(optimum, kShrinkages[k]), options, context);
      if (!std::isnan(value)) sums[k] += queries * value;
    }
    weight += queries;
  }
  for (double& sum : sums) sum /= weight;
  return sums;
}

// Weights that are found where members were trained go to those that fit too closely.
void note_training_data(const std::vector<SavedModel>& models, const Dataset& data,
                        Context& context) {
  const std::uint64_t fingerprint = data.fingerprint(context.pool);
  std::vector<std::string> names;
  const auto add = [&](const SavedModel& model) {
    if (model.training.fingerprint == fingerprint) names.push_back(model.learner);
  };
  for (const SavedModel& model : models) {
    const auto inner = members_of(model.model);
    if (inner.empty()) add(model);
    for (const BlendMember& member : inner) add(member.saved);
  }
  if (names.empty()) return;
  context.observer.note(fmt::format(
      "{} trained on this data, where a member's own weight comes out too high: find "
      "the weights on data that trained no member",
      fmt::format("{} {}", fmt::join(names, ", "), names.size() == 1 ? "was" : "were")));
}

}  // namespace

// Exact sums: the order of rows and queries makes no difference.
double score_scale(const Dataset& data, std::span<const double> scores) {
  ExactSum squares;
  for (std::size_t q = 0; q < data.queries(); ++q) {
    const auto list = scores.subspan(data.begin(q), data.end(q) - data.begin(q));
    ExactSum sum;
    for (const double score : list) sum += score;
    const double mean = sum.value() / static_cast<double>(list.size());
    for (const double score : list) squares += (score - mean) * (score - mean);
  }
  const double scale =
      std::sqrt(squares.value() / static_cast<double>(std::max<std::size_t>(1, scores.size())));
  return scale > 0 && std::isfinite(scale) && std::isfinite(1 / scale) ? scale : 1;
}

BlendWeights fit_blend_weights(const Dataset& data, const Scores& scores,
                               const BlendOptions& options, Context& context) {
  BlendWeights fit;
  if (scores.empty()) throw Error(ErrorCode::usage, "a blend needs a member");
  fit.weights = equal_weights(scores.size());
  fit.equal_value = value_of(data, scores, fit.weights, options, context);
  fit.held_out = std::numeric_limits<double>::quiet_NaN();
  if (scores.size() > 1) {
    const std::vector<double> held_out = held_out_values(data, scores, options, context);
    if (!held_out.empty()) {
      const auto best = std::max_element(held_out.begin(), held_out.end());
      fit.held_out = *best;
      fit.shrinkage = kShrinkages[static_cast<std::size_t>(best - held_out.begin())];
    }
    if (fit.shrinkage < 1)
      fit.weights = shrunk(WeightSearch(data, scores, options, context).optimum(), fit.shrinkage);
  }
  fit.value = value_of(data, scores, fit.weights, options, context);
  return fit;
}

BlendedModels blend_models(std::vector<SavedModel> models, const Dataset& data,
                           const BlendOptions& options, Context& context) {
  require_grades_that_differ(data, "data");
  note_training_data(models, data, context);
  BlendedModels out;
  Scores scores;
  std::vector<double> scales;
  for (const SavedModel& model : models) {
    scores.push_back(score(model, data, context));
    out.values.push_back(
        evaluate(options.measure, options.convention, data, scores.back(), context));
    scales.push_back(score_scale(data, scores.back()));
    for (double& score : scores.back()) score /= scales.back();
  }
  out.fit = fit_blend_weights(data, scores, options, context);
  std::vector<BlendMember> members;
  for (std::size_t m = 0; m < models.size(); ++m)
    members.push_back({out.fit.weights[m], scales[m], std::move(models[m])});
  out.model = make_blend(std::move(members));
  out.model.measure = measure_label(*options.measure, options.convention);
  out.model.training.validation = {{out.model.measure, out.fit.value}};
  return out;
}

}  // namespace podium

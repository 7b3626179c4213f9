#include "podium/counterfactual.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "core/math_functions.h"
#include "core/random.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr std::size_t kResampleChunk = 32;

// The ratio Σ sums / Σ weights over queries drawn with replacement, `resamples` times. Two values
// with the same seed draw the same queries.
std::vector<double> resampled(const CounterfactualValue& value, std::size_t resamples,
                              Context& context) {
  std::vector<double> ratios(resamples);
  const std::size_t n = value.sum_by_query.size();
  parallel_for(context.pool, resamples, kResampleChunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t r = begin; r < end; ++r) {
      Random random(context.seed, r);
      double sum = 0, weight = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const std::size_t q = random.below(n);
        sum += value.sum_by_query[q];
        weight += value.weight_by_query[q];
      }
      ratios[r] = weight > 0 ? sum / weight : 0;
    }
  });
  return ratios;
}

Interval middle_95(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto last = static_cast<double>(values.size() - 1);
  const auto at = [&](double level) {
    return values[static_cast<std::size_t>(level * last + 0.5)];
  };
  return {at(0.025), at(0.975)};
}

double ratio_of(const CounterfactualValue& value) {
  const double weight =
      std::accumulate(value.weight_by_query.begin(), value.weight_by_query.end(), 0.0);
  return weight > 0
             ? std::accumulate(value.sum_by_query.begin(), value.sum_by_query.end(), 0.0) / weight
             : 0;
}

// λ of each document of a query.
void weights_by_score(std::span<const double> scores, std::span<const double> by_rank,
                      std::span<double> out) {
  std::vector<std::uint32_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return scores[a] > scores[b]; });
  for (std::size_t r = 0; r < order.size();) {
    std::size_t end = r;
    double sum = 0;
    while (end < order.size() && scores[order[end]] == scores[order[r]]) sum += by_rank[end++];
    for (std::size_t i = r; i < end; ++i) out[order[i]] = sum / static_cast<double>(end - r);
    r = end;
  }
}

}  // namespace

const Choices<Estimator>& estimators() {
  static const Choices<Estimator> names = {{"ips", Estimator::ips},
                                           {"snips", Estimator::snips},
                                           {"affine", Estimator::affine},
                                           {"dm", Estimator::dm},
                                           {"dr", Estimator::dr}};
  return names;
}

const OptionTable<CounterfactualOptions>& counterfactual_option_table() {
  static const auto options =
      OptionTable<CounterfactualOptions>()
          .add("estimator", &CounterfactualOptions::estimator,
               "ips: clicks divided by propensities; snips: the same, self-normalised; affine: "
               "corrects "
               "trust bias; dm: fitted relevance; dr: dm corrected by clicks",
               estimators())
          .add("value", &CounterfactualOptions::measure,
               "what a ranker's list is worth: DCG@k, P@k, RR or RR@k")
          .add("propensity-clip", &CounterfactualOptions::clip,
               "smallest propensity that a click is divided by", between(1e-6, 1))
          .add("resamples", &CounterfactualOptions::resamples, "bootstrap resamples of the queries",
               between(100, 1e6));
  return options;
}

std::vector<double> rank_weights_of(std::string_view measure, std::size_t longest) {
  const std::size_t at = std::min(measure.find('@'), measure.size());
  const std::string_view name = measure.substr(0, at);
  std::size_t k = longest;
  bool fine = true;
  if (at < measure.size()) {
    const char* const end = measure.data() + measure.size();
    const auto [stop, error] = std::from_chars(measure.data() + at + 1, end, k);
    fine = error == std::errc() && stop == end && k > 0;
  }
  if (!fine || (name != "DCG" && name != "RR" && !(name == "P" && at < measure.size())))
    throw Error(ErrorCode::usage,
                fmt::format("‹value›: '{}' is not one of DCG@k, P@k, RR, RR@k", measure));
  std::vector<double> weights(longest, 0.0);
  for (std::size_t r = 0; r < std::min(k, longest); ++r) {
    const auto rank = static_cast<double>(r + 1);
    weights[r] = name == "DCG" ? 1 / math::log2(1 + rank)
                 : name == "P" ? 1 / static_cast<double>(k)
                               : 1 / rank;
  }
  return weights;
}

Counterfactual::Counterfactual(const Dataset& data, const ClickLog& log,
                               const std::optional<Propensities>& propensities,
                               const CounterfactualOptions& options, Context& context)
    : data_(data),
      log_(log),
      options_(options),
      context_(context),
      own_propensities_(!propensities) {
  if (!propensities && !log.has_propensities)
    throw Error(
        ErrorCode::usage,
        "‹clicks› needs ‹propensities›, or a log with a column of them: `podium clicks fit` "
        "estimates them");
  propensities_ = propensities ? *propensities : propensities_of(log);
  require_positions(propensities_, log);
  if (options.estimator == Estimator::affine && propensities_.slope.empty())
    throw Error(ErrorCode::usage,
                fmt::format("‹estimator affine› needs ‹propensities› with slope and offset, those "
                            "of `podium clicks fit` with ‹model trust›, not {}",
                            propensities_.model));
  rank_weights_of(options.measure, 1);  // throws if it is not valid
  double clicks = 0;
  for (std::size_t d = 0; d < log.documents(); ++d)
    for (const ClickCell& cell : log.cells_of(d)) clicks += cell.clicked;
  if (!(clicks > 0)) throw Error(ErrorCode::data, "the log has no clicks to estimate from");
  if (options.estimator == Estimator::ips || options.estimator == Estimator::affine) return;
  std::vector<double> fitted =
      fit_click_model(log, {}, context, &propensities_.examination).attraction;
  if (options.estimator != Estimator::snips) {
    relevance_ = std::move(fitted);
    return;
  }
  for (const ClickCell& cell : log.cells) mean_relevance_ += cell.shown * fitted[cell.document];
  mean_relevance_ /= std::max(log.session_total, 1e-300);
}

// Of the clicks of a cell.
double Counterfactual::propensity(const ClickCell& cell) const {
  const double theta = own_propensities_ && cell.inverse > 0 ? cell.clicked / cell.inverse
                                                             : propensities_.at(cell.position);
  return std::max(theta, options_.clip);
}

CounterfactualValue Counterfactual::evaluate(std::span<const double> scores) const {
  std::vector<double> lambda(data_.documents());
  std::vector<char> shown(data_.documents(), 0);
  for (const std::uint32_t row : log_.row) shown[row] = 1;
  CounterfactualValue result;
  double total = 0, unseen = 0, sum = 0, squares = 0;
  for (std::size_t q = 0; q < data_.queries(); ++q) {
    const std::size_t n = data_.end(q) - data_.begin(q);
    const auto by_rank = rank_weights_of(options_.measure, n);
    weights_by_score(scores.subspan(data_.begin(q), n), by_rank,
                     std::span(lambda).subspan(data_.begin(q), n));
    double of_query = 0, not_shown = 0;
    bool in_log = false;
    for (std::size_t d = data_.begin(q); d < data_.end(q); ++d) {
      of_query += lambda[d];
      if (!shown[d]) not_shown += lambda[d];
      in_log = in_log || shown[d];
    }
    if (in_log) total += of_query;
    if (in_log) unseen += not_shown;
  }
  result.never_shown = total > 0 ? unseen / total : 0;
  result.sum_by_query.assign(log_.queries(), 0.0);
  result.weight_by_query = log_.query_sessions;
  if (options_.estimator == Estimator::snips) result.weight_by_query.assign(log_.queries(), 0.0);
  for (std::size_t d = 0; d < log_.documents(); ++d) {
    const double worth = lambda[log_.row[d]];
    const std::uint32_t q = log_.query_of[d];
    double& value = result.sum_by_query[q];
    if (!relevance_.empty()) value += worth * relevance_[d] * log_.query_sessions[q];
    for (const ClickCell& cell : log_.cells_of(d)) {
      const double theta = propensity(cell);
      double per_click = worth / theta;
      switch (options_.estimator) {
        case Estimator::ips:
          value += per_click * cell.clicked;
          break;
        case Estimator::snips:
          value += mean_relevance_ * per_click * cell.clicked;
          break;
        case Estimator::affine:
          per_click = worth / std::max(propensities_.slope[cell.position - 1], options_.clip);
          value +=
              per_click * (cell.clicked - cell.shown * propensities_.offset[cell.position - 1]);
          break;
        case Estimator::dr:
          // Clipping changes the weight of a surprise, not what is expected: so dm replaces what
          // clipping takes from ips.
          value += per_click *
                   (cell.clicked - cell.shown * propensities_.at(cell.position) * relevance_[d]);
          break;
        case Estimator::dm:
          break;
      }
      if (options_.estimator == Estimator::snips) result.weight_by_query[q] += cell.clicked / theta;
      sum += cell.clicked * per_click;
      squares += cell.clicked * per_click * per_click;
      if (cell.clicked > 0) result.largest_weight = std::max(result.largest_weight, per_click);
    }
  }
  result.effective_clicks = squares > 0 ? sum * sum / squares : 0;
  result.value = ratio_of(result);
  result.interval =
      middle_95(resampled(result, static_cast<std::size_t>(options_.resamples), context_));
  return result;
}

CounterfactualDifference Counterfactual::compare(const CounterfactualValue& a,
                                                 const CounterfactualValue& b) const {
  const auto n = static_cast<std::size_t>(options_.resamples);
  std::vector<double> differences = resampled(a, n, context_);
  const std::vector<double> other = resampled(b, n, context_);
  std::size_t below = 0, above = 0;
  for (std::size_t r = 0; r < n; ++r) {
    differences[r] -= other[r];
    below += differences[r] <= 0;
    above += differences[r] >= 0;
  }
  CounterfactualDifference result;
  result.difference = a.value - b.value;
  result.p = std::min(
      1.0, 2 * static_cast<double>(std::min(below, above) + 1) / static_cast<double>(n + 1));
  result.interval = middle_95(std::move(differences));
  return result;
}

}  // namespace podium

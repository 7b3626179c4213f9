#include "learners/parametric/objective.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "models/document_sums.h"
#include "podium/error.h"

namespace podium {
namespace {

bool all_equal(std::span<const float> labels) {
  return std::all_of(labels.begin(), labels.end(), [&](float y) { return y == labels[0]; });
}

}  // namespace

ParametricObjective::ParametricObjective(ScoringFunction& function, const Dataset& data,
                                         const Loss& loss, std::span<const double> offset,
                                         Context& context)
    : function_(function),
      data_(data),
      offset_(offset),
      context_(context),
      bound_(loss.bind(data, context.comm)),
      mask_(function.decay_mask()) {
  if (bound_->link().outputs() > 1)
    throw Error(ErrorCode::usage, fmt::format("the loss {} needs several outputs per document, "
                                              "which only forests have: use a tree learner",
                                              loss.name()));
  const bool only_ranks = loss.traits().shift == LossTraits::Shift::invariant;
  ExactSum weight;
  for (std::size_t q = 0; q < data.queries(); ++q) {
    if (!bound_->informative(q) || (only_ranks && all_equal(data.labels(q)))) continue;
    queries_.push_back(q);
    weight += data.query_weight(q);
  }
  weight_ = sum_over_ranks(weight, context.comm);
  auto skipped = static_cast<std::int64_t>(data.queries() - queries_.size());
  context.comm.all_reduce_sum(std::span(&skipped, 1));
  skipped_ = static_cast<std::size_t>(skipped);
  if (!(weight_ > 0))
    throw Error(ErrorCode::training,
                fmt::format("no query contributes to the loss {}: each has one document, or "
                            "documents of one grade only, or weight 0",
                            loss.name()));
}

void ParametricObjective::add_query(std::size_t q, Part& part, OrderFreeSums& sums) const {
  const Rows rows = data_.rows(q);
  const std::size_t count = rows.documents(), size = function_.sums();
  part.scores.resize(count);
  part.slope.resize(count);
  function_.forward(rows, part.scores, *part.scratch);
  if (!offset_.empty())
    for (std::size_t i = 0; i < count; ++i) part.scores[i] += offset_[data_.begin(q) + i];
  const bool finite = std::all_of(part.scores.begin(), part.scores.end(),
                                  [](double s) { return std::isfinite(s); });
  if (!finite) std::fill(part.slope.begin(), part.slope.end(), 0.0);
  sums.add(size, finite ? bound_->evaluate(q, part.scores, {part.slope, {}, stop_inside(context_)})
                        : std::numeric_limits<double>::quiet_NaN());
  sums.add(size + 1, data_.query_weight(q));
  function_.backward(rows, part.slope, *part.scratch, sums);
}

// A mini-batch in the order that keeps all threads busy to the end; of many queries the order does
// not matter: none.
std::vector<std::size_t> ParametricObjective::longest_first(
    std::span<const std::size_t> queries) const {
  constexpr std::size_t kMany = 1024;
  if (queries.size() > kMany || context_.pool.threads() == 1) return {};
  std::vector<std::size_t> order(queries.begin(), queries.end());
  const auto length = [&](std::size_t q) { return data_.end(q) - data_.begin(q); };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return length(a) > length(b); });
  return order;
}

double ParametricObjective::evaluate(std::span<const double> parameters,
                                     std::span<const std::size_t> queries,
                                     std::span<double> gradient) {
  function_.set(parameters);
  const std::vector<std::size_t> by_length = longest_first(queries);
  if (!by_length.empty()) queries = by_length;
  std::vector<double> total =
      sum_over_items(queries.size(), function_.sums() + 2, context_,
                     [&](std::size_t begin, std::size_t end, OrderFreeSums& sums) {
                       Part part;
                       part.scratch = function_.make_scratch();
                       for (std::size_t i = begin; i < end; ++i) add_query(queries[i], part, sums);
                     });
  const double weight = total.back();
  std::fill(gradient.begin(), gradient.end(), 0.0);
  if (!(weight > 0)) return std::numeric_limits<double>::quiet_NaN();
  for (double& x : total) x /= weight;
  double value = total[total.size() - 2];
  total.resize(total.size() - 2);
  const std::vector<double> slope = function_.pull_back(std::move(total));
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    const double decayed = decay_ * mask_[i] * parameters[i];
    gradient[i] = slope[i] + decayed;
    value += 0.5 * decayed * parameters[i];
  }
  return value;
}

}  // namespace podium

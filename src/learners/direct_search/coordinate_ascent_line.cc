#include "learners/direct_search/coordinate_ascent_line.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "core/math_functions.h"
#include "distributed/over_ranks.h"
#include "measures/aggregate.h"
#include "measures/tie_order.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr std::size_t kLineQueryChunk = 32;
constexpr std::size_t kShiftsPerDocument = 8;  // of insertion sort, before another sort is used

// The position of each document in the order that resolves ties.
std::vector<std::uint32_t> tie_order(const Dataset& data, Ties ties) {
  std::vector<std::uint32_t> tie(data.documents());
  for (std::size_t q = 0; q < data.queries(); ++q)
    place_ties(data, ties, q, std::span(tie).subspan(data.begin(q), data.end(q) - data.begin(q)));
  return tie;
}

}  // namespace

MeasureLine::MeasureLine(const Dataset& data, MeasurePtr measure, const Convention& convention,
                         Context& context)
    : data_(data),
      measure_(std::move(measure)),
      ties_(convention.ties),
      context_(context),
      base_(data.documents()),
      order_(data.documents()),
      tie_(tie_order(data, convention.ties)) {
  const bool weighted = measure_->aggregation() != Aggregation::sum;
  std::vector<double> weights, rest;
  for (std::size_t q = 0; q < data.queries(); ++q) {
    const auto labels = data.labels(q);
    std::iota(order_.begin() + static_cast<std::ptrdiff_t>(data.begin(q)),
              order_.begin() + static_cast<std::ptrdiff_t>(data.end(q)), 0U);
    std::vector<float> ideal(labels.begin(), labels.end());
    std::sort(ideal.begin(), ideal.end(), std::greater<>());
    const double weight = weighted ? data.query_weight(q) : 1;
    if (measure_->value({ideal, ideal}) && weight > 0) {
      weights.push_back(weight);
      queries_.push_back({data.begin(q), labels.size(), weight, std::move(ideal)});
      continue;
    }
    ++skipped_;
    if (convention.empty == EmptyQuery::skip) continue;
    weights.push_back(weight);
    rest.push_back(weight * averaged_value(convention.empty == EmptyQuery::one ? 1.0 : 0.0,
                                           measure_->aggregation()));
  }
  auto used = static_cast<std::int64_t>(queries_.size());
  context.comm.all_reduce_sum(std::span(&used, 1));
  if (used == 0)
    throw Error(ErrorCode::training,
                fmt::format("no query contributes to {}: each lacks a relevant document (see "
                            "‹relevant-from›) or has weight 0",
                            measure_->name()));
  weight_ = sum_over_ranks(weights, context.comm);
  rest_ = sum_over_ranks(rest, context.comm);
  move_to(std::move(base_));
}

// Sorts by descending score, starting from the last order.
void MeasureLine::sort(const Query& query, Scratch& scratch) {
  auto& items = scratch.items;
  const auto before = [](const Item& a, const Item& b) {
    return a.score > b.score || (a.score == b.score && a.tie < b.tie);
  };
  std::size_t shifts = 0;
  const std::size_t most_shifts = kShiftsPerDocument * items.size();
  for (std::size_t k = 1; k < items.size(); ++k) {
    if (!before(items[k], items[k - 1])) continue;
    const Item item = items[k];
    std::size_t at = k;
    for (; at > 0 && before(item, items[at - 1]); --at) items[at] = items[at - 1];
    items[at] = item;
    shifts += k - at;
    if (shifts > most_shifts) {
      std::sort(items.begin(), items.end(), before);
      break;
    }
  }
  for (std::size_t k = 0; k < items.size(); ++k) order_[query.begin + k] = items[k].document;
}

double MeasureLine::evaluate(const Query& query, Scratch& scratch) {
  const auto& items = scratch.items;
  const auto labels = data_.labels().subspan(query.begin, query.size);
  scratch.by_rank.resize(items.size());
  for (std::size_t k = 0; k < items.size(); ++k) scratch.by_rank[k] = labels[items[k].document];
  const RankedLabels ranking{scratch.by_rank, query.ideal};
  std::optional<double> value;
  if (ties_ == Ties::expected) {
    scratch.ends.clear();
    for (std::size_t k = 0; k < items.size(); ++k)
      if (k + 1 == items.size() || items[k].score != items[k + 1].score)
        scratch.ends.push_back(static_cast<std::uint32_t>(k + 1));
    if (scratch.ends.size() < items.size()) value = measure_->tied({ranking, scratch.ends});
  }
  if (!value) value = measure_->value(ranking);
  return query.weight * averaged_value(value.value_or(0), measure_->aggregation());
}

// Whether the order is the same for all larger Δ: it is the order by x, and no tie can be broken.
bool MeasureLine::settled(const Query& query, const Scratch& scratch) const {
  const auto x = x_.subspan(query.begin, query.size);
  for (std::size_t k = 1; k < scratch.items.size(); ++k) {
    const Item &above = scratch.items[k - 1], &below = scratch.items[k];
    const double lead = x[above.document] - x[below.document];
    if (direction_ == Direction::up ? lead < 0 : lead > 0) return false;
    if (above.score == below.score && lead != 0) return false;
  }
  return true;
}

template <class Score>
void MeasureLine::rank(std::span<const std::uint32_t> which, double Query::*value, Score&& score,
                       std::vector<std::uint8_t>* settled_out) {
  parallel_for(context_.pool, which.size(), kLineQueryChunk,
               [&](std::size_t begin, std::size_t end) {
                 Scratch scratch;
                 for (std::size_t k = begin; k < end; ++k) {
                   Query& query = queries_[which[k]];
                   scratch.items.resize(query.size);
                   for (std::size_t r = 0; r < query.size; ++r) {
                     const std::uint32_t document = order_[query.begin + r];
                     const std::size_t i = query.begin + document;
                     scratch.items[r] = {score(i), tie_[i], document};
                   }
                   sort(query, scratch);
                   query.*value = evaluate(query, scratch);
                   if (settled_out) (*settled_out)[k] = settled(query, scratch);
                 }
               });
}

double MeasureLine::aggregate(double Query::*value) const {
  std::vector<double> values;
  values.reserve(queries_.size());
  for (const Query& query : queries_) values.push_back(query.*value);
  const double sum = sum_over_ranks(values, context_.comm) + rest_;
  switch (measure_->aggregation()) {
    case Aggregation::sum:
      return sum;
    case Aggregation::geometric:
      return math::exp(sum / weight_);
    case Aggregation::mean:
      break;
  }
  return sum / weight_;
}

void MeasureLine::move_to(std::vector<double> scores) {
  base_ = std::move(scores);
  std::vector<std::uint32_t> all(queries_.size());
  std::iota(all.begin(), all.end(), 0U);
  rank(
      all, &Query::base, [&](std::size_t i) { return base_[i]; }, nullptr);
  value_ = aggregate(&Query::base);
}

void MeasureLine::scale(double factor) {
  for (double& s : base_) s *= factor;
}

void MeasureLine::begin(std::span<const double> x, Direction direction) {
  x_ = x;
  direction_ = direction;
  active_.clear();
  for (std::uint32_t q = 0; q < queries_.size(); ++q) {
    Query& query = queries_[q];
    query.trial = query.base;
    const auto values = x.subspan(query.begin, query.size);
    if (std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) != values.end())
      active_.push_back(q);
  }
}

double MeasureLine::trial(double delta) {
  std::vector<std::uint8_t> done(active_.size());
  rank(
      active_, &Query::trial, [&](std::size_t i) { return base_[i] + delta * x_[i]; }, &done);
  std::size_t kept = 0;
  for (std::size_t k = 0; k < active_.size(); ++k)
    if (!done[k]) active_[kept++] = active_[k];
  active_.resize(kept);
  open_ = static_cast<std::int64_t>(kept);
  context_.comm.all_reduce_sum(std::span(&open_, 1));
  return aggregate(&Query::trial);
}

void MeasureLine::accept(double delta) {
  std::vector<double> scores = std::move(base_);
  for (std::size_t i = 0; i < scores.size(); ++i) scores[i] += delta * x_[i];
  move_to(std::move(scores));
}

}  // namespace podium

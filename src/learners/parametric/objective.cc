#include "learners/parametric/objective.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "learners/label_check.h"
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
      mask_(function.decay_mask()),
      sums_(function.sums() + 2) {
  if (bound_->link().outputs() > 1)
    throw Error(ErrorCode::usage, fmt::format("the loss {} needs several outputs per document, "
                                              "which only forests have: use a tree learner",
                                              loss.name()));
  const bool only_ranks = loss.traits().shift == LossTraits::Shift::invariant;
  ExactSum weight;
  for (std::size_t q = 0; q < data.queries(); ++q) {
    if (!bound_->informative(q) ||
        (only_ranks && all_equal(data.labels(q)) && data.preferences(q).empty()))
      continue;
    queries_.push_back(q);
    weight += data.query_weight(q);
  }
  weight_ = sum_over_ranks(weight, context.comm);
  auto skipped = static_cast<std::int64_t>(data.queries() - queries_.size());
  context.comm.all_reduce_sum(std::span(&skipped, 1));
  skipped_ = static_cast<std::size_t>(skipped);
  if (!(weight_ > 0)) throw Error(ErrorCode::training, why_no_query(data, loss, context.comm));
}

// The loss of a query at its scores, and its slope there.
void ParametricObjective::add_loss(std::size_t q, std::span<double> scores, std::span<double> slope,
                                   OrderFreeSums& sums) const {
  if (!offset_.empty())
    for (std::size_t i = 0; i < scores.size(); ++i) scores[i] += offset_[data_.begin(q) + i];
  const bool finite =
      std::all_of(scores.begin(), scores.end(), [](double s) { return std::isfinite(s); });
  if (!finite) std::fill(slope.begin(), slope.end(), 0.0);
  const std::size_t size = function_.sums();
  sums.add(size, finite ? bound_->evaluate(q, scores, {slope, {}, stop_inside(context_)})
                        : std::numeric_limits<double>::quiet_NaN());
  sums.add(size + 1, data_.query_weight(q));
}

void ParametricObjective::add_query(std::size_t q, Part& part, OrderFreeSums& sums) const {
  const Rows rows = data_.rows(q);
  part.scores.resize(rows.documents());
  part.slope.resize(rows.documents());
  function_.forward(rows, part.scores, *part.scratch);
  add_loss(q, part.scores, part.slope, sums);
  function_.backward(rows, part.slope, *part.scratch, sums);
}

std::vector<double> ParametricObjective::sum_queries(std::span<const std::size_t> queries) {
  return sum_over_items(queries.size(), function_.sums() + 2, context_,
                        [&](std::size_t begin, std::size_t end, OrderFreeSums& sums) {
                          Part part;
                          part.scratch = function_.make_scratch();
                          for (std::size_t i = begin; i < end; ++i)
                            add_query(queries[i], part, sums);
                        });
}

void ParametricObjective::cut_blocks(std::span<const std::size_t> queries) {
  used_blocks_ = 0;
  for (const std::size_t q : queries) {
    const std::size_t last = data_.end(q), length = function_.block_documents();
    for (std::size_t begin = data_.begin(q); begin < last; begin += length) {
      if (used_blocks_ == blocks_.size()) blocks_.push_back({0, 0, function_.make_scratch()});
      Block& block = blocks_[used_blocks_++];
      block.begin = begin;
      block.end = std::min(last, begin + length);
    }
  }
}

void ParametricObjective::add_blocks(std::span<const std::size_t> queries) {
  cut_blocks(queries);
  const auto part = [](std::vector<double>& all, std::size_t begin, std::size_t end) {
    return std::span(all).subspan(begin, end - begin);
  };
  context_.pool.run(used_blocks_, [&](std::size_t b) {
    const auto& [begin, end, scratch] = blocks_[b];
    function_.forward(data_.rows(begin, end), part(scores_, begin, end), *scratch);
  });
  context_.pool.run(queries.size(), [&](std::size_t i) {
    const std::size_t begin = data_.begin(queries[i]), end = data_.end(queries[i]);
    sums_.lend([&](OrderFreeSums& sums) {
      add_loss(queries[i], part(scores_, begin, end), part(slopes_, begin, end), sums);
    });
  });
  context_.pool.run(used_blocks_, [&](std::size_t b) {
    const Block& block = blocks_[b];
    sums_.lend([&](OrderFreeSums& sums) {
      function_.backward(data_.rows(block.begin, block.end), part(slopes_, block.begin, block.end),
                         *block.scratch, sums);
    });
  });
}

// As many queries at a time as keep all threads busy; what forward leaves behind takes memory.
std::vector<double> ParametricObjective::sum_blocks(std::span<const std::size_t> queries) {
  constexpr std::size_t kDocumentsAtATime = 16384;
  sums_.reset();
  scores_.resize(data_.documents());
  slopes_.resize(data_.documents());
  for (std::size_t first = 0; first < queries.size();) {
    std::size_t last = first, documents = 0;
    while (last < queries.size() && documents < kDocumentsAtATime)
      documents += length_of(queries[last++]);
    add_blocks(queries.subspan(first, last - first));
    first = last;
  }
  return sums_.total(context_);
}

// A mini-batch in the order that keeps all threads busy to the end; of many queries the order does
// not matter: none.
std::vector<std::size_t> ParametricObjective::longest_first(
    std::span<const std::size_t> queries) const {
  constexpr std::size_t kMany = 1024;
  if (queries.size() > kMany || context_.pool.threads() == 1) return {};
  std::vector<std::size_t> order(queries.begin(), queries.end());
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return length_of(a) > length_of(b); });
  return order;
}

double ParametricObjective::evaluate(std::span<const double> parameters,
                                     std::span<const std::size_t> queries,
                                     std::span<double> gradient) {
  function_.set(parameters);
  const std::vector<std::size_t> by_length = longest_first(queries);
  if (!by_length.empty()) queries = by_length;
  const bool whole = function_.block_documents() == ScoringFunction::kWholeQuery;
  std::vector<double> total = whole ? sum_queries(queries) : sum_blocks(queries);
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

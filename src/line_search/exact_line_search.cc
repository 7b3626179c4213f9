#include "line_search/exact_line_search.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/math_functions.h"
#include "distributed/over_ranks.h"
#include "line_search/line_walker.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr std::size_t kWalkedQueriesPerChunk = 64;

double middle_of(const LinePiece& piece) {
  if (std::isinf(piece.low) && std::isinf(piece.high)) return 0;
  if (std::isinf(piece.low)) return piece.high - std::max(1.0, std::abs(piece.high));
  if (std::isinf(piece.high)) return piece.low + std::max(1.0, std::abs(piece.low));
  return piece.low + (piece.high - piece.low) / 2;
}

}  // namespace

void ExactLineSearch::check(const SearchLine& line) const {
  if (line.base.size() != data_.documents() || line.direction.size() != data_.documents())
    throw Error(ErrorCode::usage,
                fmt::format("line search: {} base and {} direction scores for {} documents",
                            line.base.size(), line.direction.size(), data_.documents()));
  if (!(line.low < line.high))
    throw Error(ErrorCode::usage,
                fmt::format("line search: the range {} … {} is empty", line.low, line.high));
}

std::span<const float> ExactLineSearch::ideal_of(const Query& query) const {
  return std::span(ideal_).subspan(query.begin, query.ideal_end - query.begin);
}

LineQuery ExactLineSearch::view(const Query& query) const {
  const std::size_t documents = query.end - query.begin;
  LineQuery seen{.measure = *measure_,
                 .form = form_.kind,
                 .relevant_from = form_.relevant_from,
                 .ties = ties_,
                 .labels = data_.labels().subspan(query.begin, documents),
                 .ideal = ideal_of(query),
                 .offset = query.offset,
                 .units = units_ * query.weight,
                 .undefined = empty_ == EmptyQuery::one ? 1.0 : 0.0};
  if (form_.kind == MeasureForm::Kind::additive) {
    seen.gains = std::span(gains_).subspan(query.begin, documents);
    seen.rank_weights = std::span(rank_weights_)
                            .subspan(query.weights_begin, query.weights_end - query.weights_begin);
  }
  if (!tie_order_.empty()) seen.tie_order = std::span(tie_order_).subspan(query.begin, documents);
  return seen;
}

ExactLineSearch::Walked ExactLineSearch::walk(const SearchLine& line, Context& context) const {
  check(line);
  return parallel_reduce(
      context.pool, queries_.size(), kWalkedQueriesPerChunk, Walked{},
      [&](std::size_t begin, std::size_t end) {
        Walked walked;
        walked.jumps.push_back(store_->take());
        Walker walker(*this, line, stop_inside(context));
        for (std::size_t q = begin; q < end; ++q) walker.walk(q, walked);
        for (const std::vector<Jump>& list : walked.jumps)
          walked.count += static_cast<std::int64_t>(list.size());
        return walked;
      },
      [](Walked& total, Walked& part) { total += part; });
}

// Over all ranks; jumps are not moved between ranks.
ExactLineSearch::Totals ExactLineSearch::totals(const Walked& walked, Context& context) const {
  std::array<std::int64_t, 2> sums = {walked.start, walked.count};
  context.comm.all_reduce_sum(sums);
  return {sums[0], sum_over_ranks(walked.weight, context.comm), static_cast<std::size_t>(sums[1])};
}

double ExactLineSearch::aggregate(std::int64_t sum, double weight) const {
  const double value = static_cast<double>(sum) / units_;
  switch (measure_->aggregation()) {
    case Aggregation::sum:
      return value;
    case Aggregation::geometric:
      return math::exp(value / weight);
    case Aggregation::mean:
      break;
  }
  return value / weight;
}

LineSearchResult ExactLineSearch::search(const SearchLine& line, Context& context) const {
  Walked walked = counts_buckets_ ? walk_in_buckets(line, context) : walk(line, context);
  const Totals all = totals(walked, context);
  const FixedPiece best =
      best_piece(walked.jumps, all.start, {line.low, line.high, line.current}, context.comm);
  LineSearchResult result;
  result.jumps = all.jumps;
  result.best = {best.low, best.high, aggregate(best.value, all.weight)};
  result.middle = middle_of(result.best);
  result.holds_current = best.low < line.current && line.current < best.high;
  if (walks_top_ || counts_buckets_) store_->give_back(std::move(walked.jumps));
  return result;
}

std::vector<LinePiece> ExactLineSearch::pieces(const SearchLine& line, Context& context) const {
  const Walked walked = walk(line, context);
  const Totals all = totals(walked, context);
  std::vector<LinePiece> pieces;
  for (const FixedPiece& piece :
       all_pieces(walked.jumps, all.start, {line.low, line.high, line.current}, context.comm))
    pieces.push_back({piece.low, piece.high, aggregate(piece.value, all.weight)});
  return pieces;
}

}  // namespace podium

#include "learners/line_search/exact_line_search.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "distributed/over_ranks.h"
#include "learners/line_search/inversion_walk.h"
#include "learners/line_search/jump_merge.h"
#include "learners/line_search/top_walk.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr std::size_t kQueriesPerChunk = 64;
// Deeper cut-offs are walked as whole lists.
constexpr std::size_t kDeepestTop = 128;

double grid_below(double x) {
  if (std::isinf(x)) return x;
  if (std::abs(x) < kNearestCrossing) return x < 0 ? -kNearestCrossing : 0;
  const double near = to_grid(x);
  if (near <= x) return near;
  return -next_on_grid(-near);
}
double grid_above(double x) {
  return -grid_below(-x);
}

void check(const SearchLine& line, std::size_t documents) {
  if (line.base.size() != documents || line.direction.size() != documents)
    throw Error(ErrorCode::usage,
                fmt::format("line search: {} base and {} direction scores for {} documents",
                            line.base.size(), line.direction.size(), documents));
  if (!(line.low < line.high))
    throw Error(ErrorCode::usage,
                fmt::format("line search: the range {} … {} is empty", line.low, line.high));
}

// The lines of documents begin … end − 1.
LineSpans lines_of(const SearchLine& line, std::size_t begin, std::size_t end) {
  const LineSpans lines{line.direction.subspan(begin, end - begin),
                        line.base.subspan(begin, end - begin)};
  const auto fits = [](double x) { return std::abs(x) <= kLargestCoefficient; };
  std::size_t wrong_numbers = 0;
  for (const double x : lines.slopes) wrong_numbers += !fits(x);
  for (const double x : lines.intercepts) wrong_numbers += !fits(x);
  for (std::size_t i = 0; i < lines.size() && wrong_numbers > 0; ++i)
    if (const Line wrong = lines[i]; !fits(wrong.slope) || !fits(wrong.intercept))
      throw Error(
          ErrorCode::data,
          fmt::format("line search: document {} has score {} and direction {}; they must be "
                      "numbers up to 1e100 in size: scale or clip the features",
                      begin + i + 1, wrong.intercept, wrong.slope));
  return lines;
}

double middle_of(const LinePiece& piece) {
  if (std::isinf(piece.low) && std::isinf(piece.high)) return 0;
  if (std::isinf(piece.low)) return piece.high - std::max(1.0, std::abs(piece.high));
  if (std::isinf(piece.high)) return piece.low + std::max(1.0, std::abs(piece.low));
  return piece.low + (piece.high - piece.low) / 2;
}

}  // namespace

struct ExactLineSearch::Walked {
  std::int64_t start = 0;  // the sum at the range's lower end
  ExactSum weight;         // of the queries that count
  JumpLists jumps;         // of a chunk of queries, or of one query
};

// The walks of one chunk of queries.
class ExactLineSearch::Walker {
 public:
  Walker(const ExactLineSearch& search, const SearchLine& line)
      : search_(search), line_(line), range_{grid_below(line.low), grid_above(line.high)} {}

  void walk(std::size_t q, Walked& walked) {
    const Query& query = search_.queries_[q];
    if (query.kind == Query::Kind::skipped) return;
    const LineSpans lines = lines_of(line_, query.begin, query.end);
    const LineQuery seen = search_.view(query);
    if (query.kind == Query::Kind::constant) {
      walked.start += seen.to_units(query.offset);
    } else if (is_undefined(seen, lines)) {
      return;
    } else if (search_.walks_top_ &&
               std::min(search_.measure_->depth(), seen.documents()) <= kDeepestTop) {
      walked.start += top_.walk(seen, lines, range_, walked.jumps.front());
    } else {
      // Long lists, which are not copied to grow.
      walked.start += inversions_.walk(seen, lines, range_, walked.jumps.emplace_back());
    }
    walked.weight += query.weight;
  }

 private:
  // Where all scores tie everywhere a measure (tau) may be undefined that is defined on orders.
  bool is_undefined(const LineQuery& query, const LineSpans& lines) const {
    if (search_.empty_ != EmptyQuery::skip || query.ties != Ties::expected) return false;
    const auto one_value = [](std::span<const double> x) {
      return std::all_of(x.begin(), x.end(), [&](double value) { return value == x[0]; });
    };
    if (!one_value(lines.slopes) || !one_value(lines.intercepts)) return false;
    const auto end = static_cast<std::uint32_t>(lines.size());
    return end > 1 && !query.measure.tied({{query.labels, query.ideal}, {&end, 1}});
  }

  const ExactLineSearch& search_;
  const SearchLine& line_;
  GridRange range_;
  TopWalk top_;
  InversionWalk inversions_;
};

std::span<const float> ExactLineSearch::ideal_of(const Query& query) const {
  return std::span(ideal_).subspan(query.begin, query.ideal_end - query.begin);
}

LineQuery ExactLineSearch::view(const Query& query) const {
  const std::size_t documents = query.end - query.begin;
  LineQuery seen{.measure = *measure_,
                 .form = form_,
                 .ties = ties_,
                 .labels = data_.labels().subspan(query.begin, documents),
                 .ideal = ideal_of(query),
                 .offset = query.offset,
                 .units = units_ * query.weight,
                 .undefined = empty_ == EmptyQuery::one ? 1.0 : 0.0};
  if (form_ == MeasureForm::additive) {
    seen.gains = std::span(gains_).subspan(query.begin, documents);
    seen.rank_weights = std::span(rank_weights_)
                            .subspan(query.weights_begin, query.weights_end - query.weights_begin);
  }
  if (!tie_order_.empty()) seen.tie_order = std::span(tie_order_).subspan(query.begin, documents);
  return seen;
}

ExactLineSearch::Walked ExactLineSearch::walk(const SearchLine& line, Context& context) const {
  check(line, data_.documents());
  return parallel_reduce(
      context.pool, queries_.size(), kQueriesPerChunk, Walked{},
      [&](std::size_t begin, std::size_t end) {
        Walked walked;
        walked.jumps.push_back(store_->take());
        Walker walker(*this, line);
        for (std::size_t q = begin; q < end; ++q) walker.walk(q, walked);
        return walked;
      },
      [](Walked& total, Walked& part) {
        total.start += part.start;
        total.weight += part.weight;
        for (std::vector<Jump>& list : part.jumps) total.jumps.push_back(std::move(list));
      });
}

// Over all ranks; jumps stay where they are.
ExactLineSearch::Totals ExactLineSearch::totals(const Walked& walked, Context& context) const {
  std::array<std::int64_t, 2> sums = {walked.start, 0};
  for (const std::vector<Jump>& list : walked.jumps)
    sums[1] += static_cast<std::int64_t>(list.size());
  context.comm.all_reduce_sum(sums);
  return {sums[0], sum_over_ranks(walked.weight, context.comm), static_cast<std::size_t>(sums[1])};
}

double ExactLineSearch::aggregate(std::int64_t sum, double weight) const {
  const double value = static_cast<double>(sum) / units_;
  switch (measure_->aggregation()) {
    case Aggregation::sum:
      return value;
    case Aggregation::geometric:
      return std::exp(value / weight);
    case Aggregation::mean:
      break;
  }
  return value / weight;
}

LineSearchResult ExactLineSearch::search(const SearchLine& line, Context& context) const {
  Walked walked = walk(line, context);
  const Totals all = totals(walked, context);
  const FixedPiece best =
      best_piece(walked.jumps, all.start, {line.low, line.high, line.current}, context.comm);
  LineSearchResult result;
  result.jumps = all.jumps;
  result.best = {best.low, best.high, aggregate(best.value, all.weight)};
  result.middle = middle_of(result.best);
  result.holds_current = best.low < line.current && line.current < best.high;
  if (walks_top_) store_->give_back(std::move(walked.jumps));
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

#include "learners/line_search/exact_line_search.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>

#include <fmt/format.h>

#include "core/exact_sum.h"
#include "learners/line_search/inversion_walk.h"
#include "learners/line_search/jump_merge.h"
#include "learners/line_search/top_walk.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr std::size_t kQueriesPerChunk = 64;
// Deeper cut-offs are walked as whole lists.
constexpr std::size_t kDeepestTop = 128;
constexpr int kValueBits = 52;  // of a query's value, where the sum leaves them
constexpr int kSumBits = 61;

double largest_size(const Measure& measure, std::span<const float> labels,
                    std::span<const float> ideal) {
  const std::vector<float> worst(ideal.rbegin(), ideal.rend());
  double size = 0;
  for (const std::span<const float> order : {labels, ideal, std::span<const float>(worst)}) {
    double value = measure.value({order, ideal}).value_or(0);
    if (measure.aggregation() == Aggregation::geometric)
      value = std::log(std::max(value, 1e-5)) - 12;  // ln 1e-5 = −11.5
    size = std::max(size, std::abs(value));
  }
  return size;
}

// Where each document of a query stands among documents of equal score.
void order_by_docid(const Dataset& data, std::size_t begin, std::span<std::uint32_t> place) {
  std::vector<std::uint32_t> order(place.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) {
    return data.docid(begin + i) > data.docid(begin + j);
  });
  for (std::uint32_t k = 0; k < order.size(); ++k) place[order[k]] = k;
}

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

Line line_of(const SearchLine& line, std::size_t document) {
  const Line made{line.direction[document] + 0.0, line.base[document] + 0.0};  // one zero
  if (!(std::abs(made.slope) <= kLargestCoefficient) ||
      !(std::abs(made.intercept) <= kLargestCoefficient))
    throw Error(ErrorCode::data,
                fmt::format("line search: document {} has score {} and direction {}; they must be "
                            "numbers up to 1e100 in size: scale or clip the features",
                            document + 1, made.intercept, made.slope));
  return made;
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
  JumpLists jumps;         // of a chunk of queries, of one query, or of a rank
};

// The walks of one chunk of queries.
class ExactLineSearch::Walker {
 public:
  Walker(const ExactLineSearch& search, const SearchLine& line)
      : search_(search), line_(line), range_{grid_below(line.low), grid_above(line.high)} {}

  void walk(std::size_t q, Walked& walked) {
    const Query& query = search_.queries_[q];
    if (query.kind == Query::Kind::skipped) return;
    lines_.clear();
    for (std::size_t i = query.begin; i < query.end; ++i) lines_.push_back(line_of(line_, i));
    const LineQuery seen = search_.view(query);
    if (query.kind == Query::Kind::constant) {
      walked.start += seen.to_units(query.offset);
    } else if (is_undefined(seen)) {
      return;
    } else if (std::min(search_.measure_->depth(), seen.documents()) <= kDeepestTop &&
               search_.measure_->depth() != Measure::kWholeList) {
      walked.start += top_.walk(seen, lines_, range_, walked.jumps.front());
    } else {
      // Long lists, which are not copied to grow.
      walked.start += inversions_.walk(seen, lines_, range_, walked.jumps.emplace_back());
    }
    walked.weight += query.weight;
  }

 private:
  // Where all scores tie everywhere a measure (tau) may be undefined that is defined on orders.
  bool is_undefined(const LineQuery& query) const {
    if (search_.empty_ != EmptyQuery::skip || query.ties != Ties::expected) return false;
    const auto differs = [&](const Line& line) {
      return line.slope != lines_[0].slope || line.intercept != lines_[0].intercept;
    };
    if (std::any_of(lines_.begin(), lines_.end(), differs)) return false;
    const std::uint32_t end = static_cast<std::uint32_t>(lines_.size());
    return end > 1 && !query.measure.tied({{query.labels, query.ideal}, {&end, 1}});
  }

  const ExactLineSearch& search_;
  const SearchLine& line_;
  GridRange range_;
  std::vector<Line> lines_;
  TopWalk top_;
  InversionWalk inversions_;
};

ExactLineSearch::ExactLineSearch(const Dataset& data, MeasurePtr measure,
                                 const Convention& convention, Context& context)
    : data_(data),
      measure_(std::move(measure)),
      form_(form_of(*measure_)),
      ties_(convention.ties),
      empty_(convention.empty),
      queries_(data.queries()),
      ideal_(data.documents()),
      gains_(form_ == MeasureForm::additive ? data.documents() : 0),
      tie_order_(ties_ == Ties::docid && data.has_docids() ? data.documents() : 0) {
  std::vector<double> bounds(queries_.size(), 0);
  std::vector<AdditiveParts> parts(form_ == MeasureForm::additive ? queries_.size() : 0);
  parallel_for(context.pool, queries_.size(), kQueriesPerChunk,
               [&](std::size_t begin, std::size_t end) {
                 for (std::size_t q = begin; q < end; ++q) {
                   bounds[q] = bind_query(q);
                   if (form_ == MeasureForm::additive && queries_[q].kind == Query::Kind::moving)
                     parts[q] = additive_parts(*measure_, data_.labels(q), ideal_of(queries_[q]));
                 }
               });
  for (std::size_t q = 0; q < parts.size(); ++q)
    if (queries_[q].kind == Query::Kind::moving) keep(parts[q], queries_[q]);
  choose_units(bounds, context);
}

// Returns the largest size of what the query adds to the sum.
double ExactLineSearch::bind_query(std::size_t q) {
  Query& query = queries_[q];
  query.begin = data_.begin(q);
  query.end = query.ideal_end = data_.end(q);
  const std::span<const float> labels = data_.labels(q);
  float* ideal = ideal_.data() + query.begin;
  float* ideal_end = std::copy_if(labels.begin(), labels.end(), ideal,
                                  [](float label) { return !std::isnan(label); });
  std::sort(ideal, ideal_end, std::greater<>());
  query.ideal_end = query.begin + static_cast<std::size_t>(ideal_end - ideal);
  if (!tie_order_.empty())
    order_by_docid(data_, query.begin, std::span(tie_order_).subspan(query.begin, labels.size()));
  if (measure_->aggregation() != Aggregation::sum) query.weight = data_.query_weight(q);

  const std::optional<double> value = measure_->value({labels, ideal_of(query)});
  if (!value) {
    query.kind = empty_ == EmptyQuery::skip ? Query::Kind::skipped : Query::Kind::constant;
    query.offset = empty_ == EmptyQuery::one ? 1 : 0;
  } else if (form_ == MeasureForm::constant || labels.size() < 2) {
    query.kind = Query::Kind::constant;
    query.offset = *value;
  }
  return std::abs(query.weight) *
         std::max(std::abs(query.offset), largest_size(*measure_, labels, ideal_of(query)));
}

void ExactLineSearch::keep(const AdditiveParts& parts, Query& query) {
  std::copy(parts.gains.begin(), parts.gains.end(),
            gains_.begin() + static_cast<std::ptrdiff_t>(query.begin));
  query.offset = parts.offset;
  if (parts.rank_weights.empty()) query.kind = Query::Kind::constant;
  query.weights_begin = rank_weights_.size();
  rank_weights_.insert(rank_weights_.end(), parts.rank_weights.begin(), parts.rank_weights.end());
  query.weights_end = rank_weights_.size();
}

// Of all ranks' queries: as fine as a sum of 61 bits allows.
void ExactLineSearch::choose_units(std::span<const double> bounds, Context& context) {
  struct Extent {
    std::uint64_t queries;
    double bound;
  };
  const Extent mine{bounds.size(),
                    bounds.empty() ? 0 : *std::max_element(bounds.begin(), bounds.end())};
  Extent all = mine;
  if (context.comm.size() > 1) {
    all = {0, 0};
    for (const auto& bytes : context.comm.all_gather(std::as_bytes(std::span(&mine, 1)))) {
      Extent theirs;
      std::memcpy(&theirs, bytes.data(), sizeof theirs);
      all.queries += theirs.queries;
      all.bound = std::max(all.bound, theirs.bound);
    }
  }
  const int bits =
      std::min<int>(kValueBits, kSumBits - static_cast<int>(std::bit_width(all.queries)));
  int exponent = 0;
  if (all.bound > 0) std::frexp(all.bound, &exponent);
  units_ = std::ldexp(1, bits - exponent);
}

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
  Walked all = parallel_reduce(
      context.pool, queries_.size(), kQueriesPerChunk, Walked{},
      [&](std::size_t begin, std::size_t end) {
        Walked walked;
        walked.jumps.emplace_back();
        Walker walker(*this, line);
        for (std::size_t q = begin; q < end; ++q) walker.walk(q, walked);
        return walked;
      },
      [](Walked& total, Walked& part) {
        total.start += part.start;
        total.weight += part.weight;
        for (std::vector<Jump>& list : part.jumps) total.jumps.push_back(std::move(list));
      });
  gather(all, context);
  return all;
}

void ExactLineSearch::gather(Walked& walked, Context& context) const {
  if (context.comm.size() == 1) return;
  std::vector<std::byte> mine = walked.weight.bytes();
  const auto add = [&](std::span<const std::byte> bytes) {
    mine.insert(mine.end(), bytes.begin(), bytes.end());
  };
  add(std::as_bytes(std::span(&walked.start, 1)));
  for (const std::vector<Jump>& list : walked.jumps) add(std::as_bytes(std::span(list)));
  const auto all = context.comm.all_gather(mine);
  walked = {};
  for (const std::vector<std::byte>& bytes : all) {
    std::span<const std::byte> rest = bytes;
    walked.weight += ExactSum::from_bytes(rest.first(ExactSum::byte_count()));
    rest = rest.subspan(ExactSum::byte_count());
    std::int64_t start;
    std::memcpy(&start, rest.data(), sizeof start);
    walked.start += start;
    rest = rest.subspan(sizeof start);
    std::vector<Jump>& list = walked.jumps.emplace_back(rest.size() / sizeof(Jump));
    if (!rest.empty()) std::memcpy(list.data(), rest.data(), rest.size());
  }
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
  const Walked walked = walk(line, context);
  LineSearchResult result;
  for (const std::vector<Jump>& list : walked.jumps) result.jumps += list.size();
  const FixedPiece best =
      best_piece(walked.jumps, walked.start, {line.low, line.high, line.current});
  result.best = {best.low, best.high, aggregate(best.value, walked.weight.value())};
  result.middle = middle_of(result.best);
  result.holds_current = best.low < line.current && line.current < best.high;
  return result;
}

std::vector<LinePiece> ExactLineSearch::pieces(const SearchLine& line, Context& context) const {
  const Walked walked = walk(line, context);
  const double weight = walked.weight.value();
  std::vector<LinePiece> pieces;
  for (const FixedPiece& piece :
       all_pieces(walked.jumps, walked.start, {line.low, line.high, line.current}))
    pieces.push_back({piece.low, piece.high, aggregate(piece.value, weight)});
  return pieces;
}

}  // namespace podium

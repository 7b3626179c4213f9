// What an exact line search precomputes for every query: ideal orders, additive parts, the order of
// ties, and the unit of all values.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>

#include "core/math_functions.h"
#include "line_search/exact_line_search.h"
#include "line_search/relevant_buckets.h"
#include "measures/labels.h"
#include "measures/tie_order.h"

namespace podium {
namespace {

constexpr std::size_t kQueriesPerChunk = 64;
constexpr int kValueBits = 52;  // of a query's value, if the sum has room for them
constexpr int kSumBits = 61;
constexpr std::uint64_t kPairsWorthBuckets = 1 << 16;

double largest_size(const Measure& measure, std::span<const float> labels,
                    std::span<const float> ideal) {
  const std::vector<float> worst(ideal.rbegin(), ideal.rend());
  double size = 0;
  for (const std::span<const float> order : {labels, ideal, std::span<const float>(worst)}) {
    double value = measure.value({order, ideal}).value_or(0);
    if (measure.aggregation() == Aggregation::geometric)
      value = math::log(std::max(value, 1e-5)) - 12;  // ln 1e-5 = −11.5
    size = std::max(size, std::abs(value));
  }
  return size;
}

}  // namespace

ExactLineSearch::ExactLineSearch(const Dataset& data, MeasurePtr measure,
                                 const Convention& convention, Context& context)
    : data_(data),
      measure_(std::move(measure)),
      form_(measure_->form()),
      ties_(convention.ties),
      empty_(convention.empty),
      queries_(data.queries()),
      ideal_(data.documents()),
      gains_(form_.kind == MeasureForm::Kind::additive ? data.documents() : 0),
      tie_order_(reorders_ties(data, ties_) ? data.documents() : 0),
      walks_top_(measure_->depth() != Measure::kWholeList),
      store_(std::make_unique<JumpStore>()) {
  std::vector<double> bounds(queries_.size(), 0);
  std::vector<AdditiveParts> parts(form_.kind == MeasureForm::Kind::additive ? queries_.size() : 0);
  parallel_for(
      context.pool, queries_.size(), kQueriesPerChunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t q = begin; q < end; ++q) {
          bounds[q] = bind_query(q);
          if (form_.kind == MeasureForm::Kind::additive && queries_[q].kind == Query::Kind::moving)
            parts[q] = additive_parts(*measure_, data_.labels(q), ideal_of(queries_[q]));
        }
      });
  for (std::size_t q = 0; q < parts.size(); ++q)
    if (queries_[q].kind == Query::Kind::moving) keep(parts[q], queries_[q]);
  bind_together(bounds, context);
}

// Returns the largest possible magnitude of the query's contribution to the sum.
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
    place_ties(data_, ties_, q, std::span(tie_order_).subspan(query.begin, labels.size()));
  if (measure_->aggregation() != Aggregation::sum) query.weight = data_.query_weight(q);

  const std::optional<double> value = measure_->value({labels, ideal_of(query)});
  if (!value) {
    query.kind = empty_ == EmptyQuery::skip ? Query::Kind::skipped : Query::Kind::constant;
    query.offset = empty_ == EmptyQuery::one ? 1 : 0;
  } else if (form_.kind == MeasureForm::Kind::constant || labels.size() < 2) {
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

// The number of pairs of a relevant and another document in lists that can be counted in buckets.
std::uint64_t ExactLineSearch::count_pairs() const {
  if (!RelevantBuckets::knows(form_.kind)) return 0;
  std::uint64_t all = 0;
  for (const Query& query : queries_) {
    if (query.kind != Query::Kind::moving) continue;
    const auto labels = data_.labels().subspan(query.begin, query.end - query.begin);
    const auto relevant =
        static_cast<std::size_t>(std::count_if(labels.begin(), labels.end(), [&](float label) {
          return is_relevant(label, form_.relevant_from);
        }));
    const std::size_t pairs = relevant * (labels.size() - relevant);
    if (pairs >= RelevantBuckets::kFewestPairs) all += pairs;
  }
  return all;
}

// Over the queries of all ranks: units as fine as a sum of 61 bits allows.
void ExactLineSearch::bind_together(std::span<const double> bounds, Context& context) {
  struct Extent {
    std::uint64_t queries, pairs;
    double bound;
  };
  const Extent mine{bounds.size(), count_pairs(),
                    bounds.empty() ? 0 : *std::max_element(bounds.begin(), bounds.end())};
  Extent all = mine;
  if (context.comm.size() > 1) {
    all = {0, 0, 0};
    for (const auto& bytes : context.comm.all_gather(std::as_bytes(std::span(&mine, 1)))) {
      Extent theirs;
      std::memcpy(&theirs, bytes.data(), sizeof theirs);
      all.queries += theirs.queries;
      all.pairs += theirs.pairs;
      all.bound = std::max(all.bound, theirs.bound);
    }
  }
  const int bits =
      std::min<int>(kValueBits, kSumBits - static_cast<int>(std::bit_width(all.queries)));
  int exponent = 0;
  if (all.bound > 0) std::frexp(all.bound, &exponent);
  units_ = std::ldexp(1, bits - exponent);
  counts_buckets_ = all.pairs >= kPairsWorthBuckets;
}

}  // namespace podium

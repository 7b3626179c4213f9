// Ordered target statistics by query, after [Prokhorenkova18] section 3.2:
//
//   statistic(v) = Σ (y_i − mean y of i's query) / (n + a),   a = kPriorDocuments
//
// over the n documents with value v in the queries before, so that a document's label is no part of
// its own input. Differs from [Prokhorenkova18]: the order is one of queries, because the labels of
// a query are compared with each other; and labels are relative to their query's mean, because a
// constant added to a query changes no ranking. So the prior is 0. Queries of one group do not see
// each other, which lets ranks compute the same statistics with one sum per group.
#include "data/transform/category_encoding.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/order_free_sums.h"
#include "core/random.h"
#include "data/content.h"
#include "distributed/over_ranks.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr std::uint64_t kOrderStream = 0x6f72646572;  // "order": a separate random stream

std::size_t group_of(std::uint64_t query_key, std::uint64_t seed) {
  return static_cast<std::size_t>(Random(seed ^ kOrderStream, query_key).next() >> 32) %
         kOrderGroups;
}

// The data without labels and weights, by content: the order of queries depends on their features.
Dataset known_by_features(const Dataset& data, Context& context) {
  DatasetParts parts = data.parts();
  parts.labels = std::vector<float>(data.documents());
  parts.query_weights = {};
  parts.document_weights = {};
  return with_content(Dataset(std::move(parts)), {}, context);
}

// In an order that does not depend on that of the rows.
double mean_label(std::span<const float> labels) {
  std::vector<float> ascending(labels.begin(), labels.end());
  std::sort(ascending.begin(), ascending.end());
  double sum = 0;
  for (const float label : ascending) sum += label;
  return sum / static_cast<double>(labels.size());
}

// Sums and counts by value.
class TargetTotals {
 public:
  explicit TargetTotals(std::size_t values) : sums_(values), counts_(values) {}

  void add_query(std::span<const float> codes, const Dataset& data, std::size_t q) {
    const auto labels = data.labels(q);
    const double mean = mean_label(labels);
    for (std::size_t i = 0; i < labels.size(); ++i)
      if (const auto code = code_of(codes[data.begin(q) + i], counts_.size())) {
        sums_.add(*code, labels[i] - mean);
        ++counts_[*code];
      }
  }

  // Of all ranks.
  std::vector<float> statistics(Communicator& comm) const {
    const std::vector<double> sums = sum_over_ranks(sums_, comm);
    std::vector<std::int64_t> counts = counts_;
    comm.all_reduce_sum(std::span(counts));
    std::vector<float> out(counts.size());
    for (std::size_t v = 0; v < out.size(); ++v)
      out[v] = static_cast<float>(sums[v] / (static_cast<double>(counts[v]) + kPriorDocuments));
    return out;
  }

 private:
  OrderFreeSums sums_;
  std::vector<std::int64_t> counts_;
};

Encoding encoding_for(Encoding wanted, std::size_t values) {
  if (wanted != Encoding::automatic) return wanted;
  return values <= kFewValues ? Encoding::one_hot : Encoding::target;
}

}  // namespace

const Choices<Encoding>& encoding_choices() {
  static const Choices<Encoding> choices = {{"auto", Encoding::automatic},
                                            {"target", Encoding::target},
                                            {"one-hot", Encoding::one_hot},
                                            {"hash", Encoding::hash}};
  return choices;
}

std::string to_text(Encoding encoding) {
  return choice_name(encoding_choices(), encoding);
}

std::size_t hash_bucket(std::string_view value) {
  return static_cast<std::size_t>(hash_text(value) % kHashBuckets);
}

std::vector<float> column_of(const Dataset& data, std::size_t feature) {
  std::vector<float> column(data.documents());
  const Rows rows = data.rows(0, data.documents());
  for (std::size_t d = 0; d < column.size(); ++d) {
    if (rows.is_dense()) {
      column[d] = rows.dense(d)[feature];
      continue;
    }
    const auto row = rows.sparse(d);
    const auto found = std::lower_bound(row.columns.begin(), row.columns.end(), feature);
    const bool is_stored = found != row.columns.end() && *found == feature;
    column[d] = is_stored ? row.values[static_cast<std::size_t>(found - row.columns.begin())]
                          : rows.absent();
  }
  return column;
}

std::vector<float> target_statistics(std::span<const float> codes, std::size_t values,
                                     const Dataset& data, Context& context) {
  TargetTotals totals(values);
  for (std::size_t q = 0; q < data.queries(); ++q) totals.add_query(codes, data, q);
  return totals.statistics(context.comm);
}

std::vector<float> ordered_statistics(std::span<const float> codes, std::size_t values,
                                      const Dataset& data, Context& context) {
  std::vector<std::vector<std::size_t>> groups(kOrderGroups);
  const Dataset known_queries = known_by_features(data, context);
  for (std::size_t q = 0; q < data.queries(); ++q)
    groups[group_of(known_queries.query_key(q), context.seed)].push_back(q);
  std::vector<float> out(data.documents());
  TargetTotals before(values);
  for (const auto& group : groups) {
    const std::vector<float> known = before.statistics(context.comm);
    for (const std::size_t q : group) {
      for (std::size_t d = data.begin(q); d < data.end(q); ++d)
        if (const auto code = code_of(codes[d], values)) out[d] = known[*code];
      before.add_query(codes, data, q);
    }
  }
  return out;
}

std::vector<CategoryEncoding> fit_encodings(Encoding wanted, const Dataset& data,
                                            Context& context) {
  std::vector<CategoryEncoding> encodings;
  if (wanted == Encoding::codes) return encodings;
  for (const auto& category : data.schema().categories()) {
    const std::size_t values = category.values.size();
    CategoryEncoding one{category.feature, encoding_for(wanted, values)};
    if (one.kind == Encoding::one_hot && values > kMostOneHot)
      throw Error(ErrorCode::data,
                  fmt::format("‹encode one-hot›: '{}' has {} values, and at most {} can have an "
                              "input each; use ‹encode target› or ‹encode hash›",
                              data.feature_names()[category.feature], values, kMostOneHot));
    if (one.kind == Encoding::target)
      one.statistics = target_statistics(column_of(data, category.feature), values, data, context);
    encodings.push_back(std::move(one));
  }
  return encodings;
}

}  // namespace podium

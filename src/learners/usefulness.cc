#include "learners/usefulness.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "distributed/over_ranks.h"

namespace podium {
namespace {

// Scores of one query that differ by more than the first are distinct, whatever their size. Smaller
// differences may be rounding errors of sums that cancel: they are compared with the largest score
// of all queries.
constexpr double kClearlyApart = 1e-6, kScoreRounding = 1e-12;

struct ScoreSpread {
  double widest = 0;  // the largest difference of two scores of one query
  double size = 0;    // the largest |score|

  void add(std::span<const double> scores) {
    if (scores.empty()) return;
    const auto [low, high] = std::minmax_element(scores.begin(), scores.end());
    widest = std::max(widest, *high - *low);
    size = std::max({size, std::abs(*low), std::abs(*high)});
  }
};

// Scores more and more queries until two documents of one query clearly differ: usually in the
// first query.
ScoreSpread spread_of_scores(const Model& model, const Dataset& data, Context& context) {
  ScoreSpread spread;
  for (std::size_t first = 0, count = 1; first < data.queries() && spread.widest <= kClearlyApart;
       first += count, count *= 2) {
    const Dataset part = query_range(data, first, std::min(first + count, data.queries()));
    const std::vector<double> scores = score(model, part, context);
    for (std::size_t q = 0; q < part.queries(); ++q)
      spread.add(std::span(scores).subspan(part.begin(q), part.end(q) - part.begin(q)));
  }
  return spread;
}

bool tells_documents_apart(const Model& model, const Dataset& data, Context& context) {
  const ScoreSpread mine = spread_of_scores(model, data, context);
  const double widest = max_over_ranks(mine.widest, context.comm);
  const double size = max_over_ranks(mine.size, context.comm);
  return widest > std::min(kClearlyApart, kScoreRounding * size);
}

// The smallest and the largest of all ranks' values; smallest > largest if there are none.
struct ScoreRange {
  double least = std::numeric_limits<double>::infinity(), most = -least;

  void add(double value) {
    least = std::min(least, value);
    most = std::max(most, value);
  }
  bool holds_two(Communicator& comm) const {
    return -max_over_ranks(-least, comm) < max_over_ranks(most, comm);
  }
};

template <class T>
ScoreRange range_of(std::span<const T> values) {
  ScoreRange range;
  for (const T value : values) range.add(static_cast<double>(value));
  return range;
}

bool has_a_pair(const Dataset& data) {
  for (std::size_t q = 0; q < data.queries(); ++q)
    if (data.end(q) - data.begin(q) > 1) return true;
  return false;
}

bool has_a_query_weight(const Dataset& data) {
  for (std::size_t q = 0; q < data.queries(); ++q)
    if (data.query_weight(q) != 0) return true;
  return false;
}

bool has_a_document_weight(const Dataset& data) {
  const auto weights = data.parts().document_weights.view();
  return weights.empty() ||
         std::any_of(weights.begin(), weights.end(), [](float w) { return w != 0; });
}

bool has_two_labels_in_a_query(const Dataset& data) {
  for (std::size_t q = 0; q < data.queries(); ++q) {
    const auto labels = data.labels(q);
    if (std::adjacent_find(labels.begin(), labels.end(), std::not_equal_to<>()) != labels.end())
      return true;
  }
  return false;
}

// A missing value counts as a value.
bool same(float a, float b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

bool same(const Rows::Sparse& a, const Rows::Sparse& b, float absent) {
  std::size_t i = 0, j = 0;
  while (i < a.columns.size() || j < b.columns.size()) {
    const bool take_a =
        j == b.columns.size() || (i < a.columns.size() && a.columns[i] <= b.columns[j]);
    const bool take_b =
        i == a.columns.size() || (j < b.columns.size() && b.columns[j] <= a.columns[i]);
    if (!same(take_a ? a.values[i] : absent, take_b ? b.values[j] : absent)) return false;
    i += take_a;
    j += take_b;
  }
  return true;
}

bool same_row(const Rows& rows, std::size_t a, std::size_t b) {
  if (!rows.is_dense()) return same(rows.sparse(a), rows.sparse(b), rows.absent());
  const auto left = rows.dense(a), right = rows.dense(b);
  return std::equal(left.begin(), left.end(), right.begin(),
                    [](float x, float y) { return same(x, y); });
}

bool rows_differ_in_a_query(const Dataset& data) {
  for (std::size_t q = 0; q < data.queries(); ++q) {
    const Rows rows = data.rows(q);
    for (std::size_t d = 1; d < rows.documents(); ++d)
      if (!same_row(rows, 0, d)) return true;
  }
  return false;
}

bool has_a_value(const Dataset& data) {
  const auto present = [](float x) { return !std::isnan(x); };
  const auto any_present = [&](std::span<const float> values) {
    return std::any_of(values.begin(), values.end(), present);
  };
  for (std::size_t q = 0; q < data.queries(); ++q) {
    const Rows rows = data.rows(q);
    if (!rows.is_dense() && present(rows.absent())) return true;
    for (std::size_t d = 0; d < rows.documents(); ++d)
      if (any_present(rows.is_dense() ? rows.dense(d) : rows.sparse(d).values)) return true;
  }
  return false;
}

}  // namespace

std::string why_useless(const Learner& learner, const TrainingProblem& problem,
                        const TrainingResult& result, Context& context) {
  const Dataset& data = problem.train;
  Communicator& comm = context.comm;
  const auto any = [&](bool mine) { return on_any_rank(mine, comm); };
  if (!any(has_a_query_weight(data))) return "all weights are zero";
  const bool preferences = any(data.has_preferences());
  if (!preferences && !range_of(data.labels()).holds_two(comm)) return "all labels are equal";
  if (result.skipped_queries >= count_over_ranks(data.queries(), comm))
    return "no query contributes to the loss: the documents of each are equally relevant";
  const bool pairs = any(has_a_pair(data));
  if (tells_documents_apart(result.model, data, context)) return {};
  // A pointwise loss can learn from lists of one document.
  if (!pairs && learner.loss() &&
      range_of(std::span<const double>(score(result.model, data, context))).holds_two(comm))
    return {};
  if (data.features() == 0) return "there are no features";
  if (!any(has_a_value(data))) return "all values of all features are missing";
  if (!pairs) return "no query has two documents";
  if (!any(rows_differ_in_a_query(data)))
    return "all features are constant within each query (values are stored as float32)";
  if (!any(has_a_document_weight(data))) return "all weights are zero";  // some ignore them
  if (!preferences && !any(has_two_labels_in_a_query(data)))
    return "the labels within each query are equal";
  return result.if_constant.empty() ? "no model that was tried ranks better than equal scores"
                                    : result.if_constant;
}

}  // namespace podium

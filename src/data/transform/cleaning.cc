// Data cleaning as in [Chakrabarti08] section 4.1 for LETOR: with all-zero vectors, and nearly
// identical vectors of one query with different labels, test results depend on how ties are broken,
// so both are removed before training and testing.
//
// Differs from [Chakrabarti08]: the paper has good and bad documents; here any two different labels
// conflict. Its cosine is "above 0.99"; here at least the given number, so that 1 means the same
// direction. It does not define the similarity of a zero vector; see transform.h. A category counts
// as the vector of its indicators: 1 for its value.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/counted.h"
#include "data/select_documents.h"
#include "podium/error.h"
#include "podium/transform.h"

namespace podium {
namespace {

double or_zero(float x) {
  return std::isnan(x) ? 0.0 : x;
}

double dot(const Rows& rows, std::size_t a, std::size_t b) {
  double sum = 0;
  if (rows.is_dense()) {
    const auto x = rows.dense(a), y = rows.dense(b);
    for (std::size_t f = 0; f < x.size(); ++f) sum += or_zero(x[f]) * or_zero(y[f]);
    return sum;
  }
  const auto x = rows.sparse(a), y = rows.sparse(b);
  for (std::size_t i = 0, j = 0; i < x.columns.size() && j < y.columns.size();) {
    if (x.columns[i] < y.columns[j]) {
      ++i;
    } else if (x.columns[i] > y.columns[j]) {
      ++j;
    } else {
      sum += or_zero(x.values[i++]) * or_zero(y.values[j++]);
    }
  }
  return sum;
}

bool is_zero_vector(const Rows& rows, std::size_t row) {
  const auto values = rows.is_dense() ? rows.dense(row) : rows.sparse(row).values;
  return std::all_of(values.begin(), values.end(), [](float x) { return or_zero(x) == 0; });
}

// Data with numbers and categories separated.
class CleanedFeatures {
 public:
  CleanedFeatures(const Dataset& data, Context& context) : numbers_(data) {
    if (data.schema().all_numbers()) return;
    Transform numbers, categories;
    for (std::size_t f = 0; f < data.features(); ++f) {
      Transform& of_type = data.schema().values(f) ? categories : numbers;
      of_type.features.push_back(data.feature_names()[f]);
    }
    categories_ = apply(categories, data, context);
    numbers_ = numbers.features.empty() ? Dataset() : apply(numbers, data, context);
  }

  bool is_zero(std::size_t document) const {
    const auto codes = codes_of(document);
    const bool has_category =
        std::any_of(codes.begin(), codes.end(), [](float code) { return !std::isnan(code); });
    return !has_category &&
           (numbers_.features() == 0 || is_zero_vector(numbers_.rows(document, document + 1), 0));
  }

  Rows numbers(std::size_t begin, std::size_t end) const {
    return numbers_.features() ? numbers_.rows(begin, end) : Rows({}, 0, end - begin);
  }
  // Empty if there are no categories.
  std::vector<float> codes_of(std::size_t document) const {
    std::vector<float> codes(categories_.features());
    if (!codes.empty()) categories_.rows(document, document + 1).copy(0, codes);
    return codes;
  }

 private:
  Dataset numbers_, categories_;
};

// The inner products of a query's documents.
class QueryProducts {
 public:
  QueryProducts(const CleanedFeatures& features, std::size_t begin, std::size_t end)
      : numbers_(features.numbers(begin, end)) {
    for (std::size_t d = begin; d < end; ++d) codes_.push_back(features.codes_of(d));
  }
  double operator()(std::size_t a, std::size_t b) const {
    double sum = numbers_.features() ? dot(numbers_, a, b) : 0;
    for (std::size_t c = 0; c < codes_[a].size(); ++c) sum += codes_[a][c] == codes_[b][c];
    return sum;
  }

 private:
  Rows numbers_;
  std::vector<std::vector<float>> codes_;
};

// Marks both documents of every conflicting pair of query q.
void mark_conflicts(const Dataset& data, const CleanedFeatures& features, std::size_t q,
                    double similarity, std::vector<char>& keep) {
  constexpr double kRounding = 1 - 1e-12;  // vectors of one direction may give slightly less than 1
  const QueryProducts inner(features, data.begin(q), data.end(q));
  const auto labels = data.labels(q);
  std::vector<double> squared(labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) squared[i] = inner(i, i);
  for (std::size_t i = 0; i < labels.size(); ++i)
    for (std::size_t j = i + 1; j < labels.size(); ++j) {
      if (labels[i] == labels[j]) continue;
      const bool zeros = squared[i] == 0 || squared[j] == 0;
      const double length = std::sqrt(squared[i]) * std::sqrt(squared[j]);
      const bool alike = zeros ? squared[i] == squared[j] || similarity == 0
                               : inner(i, j) >= similarity * length * kRounding;
      if (alike) keep[data.begin(q) + i] = keep[data.begin(q) + j] = 0;
    }
}

// Removes the unmarked documents and notes how many.
Dataset keep_marked(const Dataset& data, const std::vector<char>& keep, std::string_view what,
                    Context& context) {
  const auto dropped = std::count(keep.begin(), keep.end(), 0);
  if (dropped == 0) return data;
  Dataset kept = select_documents(data, keep);
  context.observer.note(fmt::format("{}: dropped {} of {}; {} of {} left empty", what, dropped,
                                    counted(data.documents(), "document"),
                                    data.queries() - kept.queries(),
                                    counted(data.queries(), "query")));
  if (kept.documents() == 0)
    throw Error(ErrorCode::data, fmt::format("{}: no document would be left", what));
  return kept;
}

}  // namespace

Dataset drop_zero_vectors(const Dataset& data, Context& context) {
  std::vector<char> keep(data.documents(), 1);
  const CleanedFeatures features(data, context);
  parallel_for(context.pool, data.documents(), 256, [&](std::size_t first, std::size_t last) {
    for (std::size_t d = first; d < last; ++d) keep[d] = !features.is_zero(d);
  });
  return keep_marked(data, keep, "zero vectors", context);
}

Dataset drop_conflicts(const Dataset& data, double similarity, Context& context) {
  if (!(similarity >= 0 && similarity <= 1))
    throw Error(ErrorCode::usage,
                fmt::format("‹drop-conflicts›: {} is not a cosine from 0 to 1 (0.99 is usual)",
                            similarity));
  std::vector<char> keep(data.documents(), 1);
  const CleanedFeatures features(data, context);
  parallel_for(context.pool, data.queries(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t q = first; q < last; ++q) mark_conflicts(data, features, q, similarity, keep);
  });
  return keep_marked(data, keep, "conflicting vectors", context);
}

Dataset binarize_labels(const Dataset& data, double relevant_from) {
  DatasetParts parts = data.parts();
  std::vector<float> labels;
  labels.reserve(data.documents());
  for (const float label : data.labels()) labels.push_back(label >= relevant_from ? 1.0F : 0.0F);
  parts.labels = std::move(labels);
  return Dataset(std::move(parts));
}

}  // namespace podium

// Data cleaning as [Chakrabarti08] section 4.1 prepares LETOR: all-zero vectors, and vectors of one
// query that are nearly the same but judged differently, make test results hang on how ties are
// broken, so both are taken out before training and testing.
//
// Differs from [Chakrabarti08]: the paper speaks of good and bad documents; here any two different
// labels conflict. Its cosine is "above 0.99"; here at least the given figure, so that 1 means the
// same direction. It does not say what a zero vector resembles; see transform.h.
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

// Marks both documents of every conflicting pair of query q.
void mark_conflicts(const Dataset& data, std::size_t q, double similarity,
                    std::vector<char>& keep) {
  constexpr double kRounding = 1 - 1e-12;  // vectors of one direction may come out a little below 1
  const Rows rows = data.rows(q);
  const auto labels = data.labels(q);
  std::vector<double> squared(labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) squared[i] = dot(rows, i, i);
  for (std::size_t i = 0; i < labels.size(); ++i)
    for (std::size_t j = i + 1; j < labels.size(); ++j) {
      if (labels[i] == labels[j]) continue;
      const bool zeros = squared[i] == 0 || squared[j] == 0;
      const double length = std::sqrt(squared[i]) * std::sqrt(squared[j]);
      const bool alike = zeros ? squared[i] == squared[j] || similarity == 0
                               : dot(rows, i, j) >= similarity * length * kRounding;
      if (alike) keep[data.begin(q) + i] = keep[data.begin(q) + j] = 0;
    }
}

// Takes out the unmarked documents and says so.
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
  parallel_for(context.pool, data.queries(), 16, [&](std::size_t first, std::size_t last) {
    for (std::size_t q = first; q < last; ++q) {
      const Rows rows = data.rows(q);
      for (std::size_t i = 0; i < rows.documents(); ++i)
        keep[data.begin(q) + i] = !is_zero_vector(rows, i);
    }
  });
  return keep_marked(data, keep, "zero vectors", context);
}

Dataset drop_conflicts(const Dataset& data, double similarity, Context& context) {
  if (!(similarity >= 0 && similarity <= 1))
    throw Error(
        ErrorCode::usage,
        fmt::format("‹drop-conflicts›: {} is no cosine from 0 to 1 (0.99 is usual)", similarity));
  std::vector<char> keep(data.documents(), 1);
  parallel_for(context.pool, data.queries(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t q = first; q < last; ++q) mark_conflicts(data, q, similarity, keep);
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

// Applies a Transform, one query and one column at a time: gathers a feature over the query's
// documents, applies the steps, and passes the results to a sink in ascending order of output
// columns. The sink counts, or fills the sparse or the dense result; so wide sparse data is never
// expanded.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "core/math_functions.h"
#include "data/transform/category_encoding.h"
#include "data/transform/expected_types.h"
#include "data/transform/imputation.h"
#include "data/transform/normalization.h"
#include "data/transform/transform_plan.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr std::size_t kTransformedQueries = 8;

struct Scratch {
  struct Cell {
    std::uint32_t kept, row;
    float value;
  };
  std::vector<float> column, sorted;
  std::vector<char> missing;
  std::vector<Cell> cells;
};

// The output of a category's encoding that is 1 for a code, counted from the encoding's first.
std::size_t hot_output(const CategoryStep& step, std::size_t code) {
  return step.encoding->kind == Encoding::hash ? step.buckets[code] : code;
}

// Passes on ones, and zeros if these are not the absent value, of a one-hot or hashed category.
template <class Sink>
void finish_hot(const TransformPlan& plan, const CategoryStep& step, std::span<const float> column,
                Sink&& sink) {
  const std::size_t begin = plan.out_begin[step.kept], end = plan.out_begin[step.kept + 1];
  const std::size_t values = plan.schema.values(step.kept)->size();
  std::vector<std::pair<std::size_t, std::size_t>> ones;  // output, row
  for (std::size_t row = 0; row < column.size(); ++row)
    if (const auto code = code_of(step(column[row]), values))
      ones.emplace_back(begin + hot_output(step, *code), row);
  std::sort(ones.begin(), ones.end());
  if (plan.is_absent(0)) {
    for (const auto& [out, row] : ones) sink(row, out, 1.0F);
    return;
  }
  auto one = ones.begin();
  for (std::size_t out = begin; out < end; ++out)
    for (std::size_t row = 0; row < column.size(); ++row) {
      const bool hot = one != ones.end() && *one == std::pair(out, row);
      if (hot) ++one;
      sink(row, out, hot ? 1.0F : 0.0F);
    }
}

// Target statistics. `first`: the document of row 0.
template <class Sink>
void finish_target(const TransformPlan& plan, const CategoryStep& step, std::size_t first,
                   std::span<const float> column, Sink&& sink) {
  for (std::size_t row = 0; row < column.size(); ++row) {
    float x = 0;
    if (!step.ordered.empty())
      x = step.ordered[first + row];
    else if (const auto code = code_of(step(column[row]), step.encoding->statistics.size()))
      x = step.encoding->statistics[*code];
    if (!plan.is_absent(x)) sink(row, plan.out_begin[step.kept], x);
  }
}

template <class Sink>
void finish_category(const TransformPlan& plan, const CategoryStep& step, std::size_t first,
                     std::span<const float> column, Sink&& sink) {
  if (step.encoding && step.encoding->kind == Encoding::target)
    return finish_target(plan, step, first, column, sink);
  if (step.encoding) return finish_hot(plan, step, column, sink);
  for (std::size_t row = 0; row < column.size(); ++row)
    if (const float code = step(column[row]); !plan.is_absent(code))
      sink(row, plan.out_begin[step.kept], code);
}

// Takes logarithms, scales, and replaces missing values in scratch.column; where these were is in
// scratch.missing if the feature has an indicator.
void prepare_number(const TransformPlan& plan, std::size_t k, Scratch& scratch) {
  std::vector<float>& column = scratch.column;
  if (plan.transform.log1p)
    for (float& x : column)
      x = static_cast<float>(std::copysign(math::log1p(std::fabs(static_cast<double>(x))), x));
  normalize_column(plan.transform.normalization, column, scratch.sorted);
  if (!plan.imputes()) return;
  scratch.missing.resize(column.size());
  for (std::size_t row = 0; row < column.size(); ++row)
    scratch.missing[row] = std::isnan(column[row]);
  impute_column(plan.transform.imputation, plan.transform.fills[k], column);
}

// Applies the steps to scratch.column and passes on values that are not absent. `first`: the
// document of row 0.
template <class Sink>
void finish_column(const TransformPlan& plan, std::size_t k, std::size_t first, Scratch& scratch,
                   Sink&& sink) {
  std::vector<float>& column = scratch.column;
  if (const CategoryStep* step = plan.category(k))
    return finish_category(plan, *step, first, column, sink);
  prepare_number(plan, k, scratch);
  std::size_t out = plan.out_begin[k];
  if (!plan.binned()) {
    for (std::size_t row = 0; row < column.size(); ++row)
      if (!plan.is_absent(column[row])) sink(row, out, column[row]);
    ++out;
  } else {
    for (const float threshold : plan.transform.thresholds[k]) {
      for (std::size_t row = 0; row < column.size(); ++row) {
        const float x = column[row];
        const float indicator = std::isnan(x) ? x : static_cast<float>(x > threshold);
        if (!plan.is_absent(indicator)) sink(row, out, indicator);
      }
      ++out;
    }
  }
  if (out == plan.out_begin[k + 1]) return;
  for (std::size_t row = 0; row < column.size(); ++row)
    if (scratch.missing[row]) sink(row, out, 1.0F);
}

// The kept features that have a value for documents that do not store them: their steps do not map
// the absent value of the input to that of the output.
std::vector<std::uint32_t> find_never_absent(const TransformPlan& plan) {
  std::vector<std::uint32_t> found;
  const bool maps_zero = !plan.binned() && plan.categories.empty() && !plan.imputes();
  if (maps_zero || (std::isnan(plan.absent_output) && plan.transform.encodings.empty()))
    return found;
  Scratch scratch;
  for (std::size_t k = 0; k < plan.source.size(); ++k) {
    const CategoryStep* step = plan.category(k);
    bool is_sent = step && !step->ordered.empty();
    scratch.column.assign(1, plan.absent);
    if (!is_sent)
      finish_column(plan, k, 0, scratch, [&](std::size_t, std::size_t, float) { is_sent = true; });
    if (is_sent) found.push_back(static_cast<std::uint32_t>(k));
  }
  return found;
}

template <class Sink>
void transform_dense(const TransformPlan& plan, const Rows& rows, std::size_t first,
                     Scratch& scratch, Sink&& sink) {
  scratch.column.resize(rows.documents());
  for (std::size_t k = 0; k < plan.source.size(); ++k) {
    const std::size_t source = plan.source[k];
    for (std::size_t row = 0; row < rows.documents(); ++row)
      scratch.column[row] = source == kNoFeature ? plan.absent : rows.dense(row)[source];
    finish_column(plan, k, first, scratch, sink);
  }
}

template <class Sink>
void transform_sparse(const TransformPlan& plan, std::span<const std::uint32_t> never_absent,
                      const Rows& rows, std::size_t first, Scratch& scratch, Sink&& sink) {
  auto& cells = scratch.cells;
  cells.clear();
  for (std::uint32_t row = 0; row < rows.documents(); ++row) {
    const auto stored = rows.sparse(row);
    for (std::size_t i = 0; i < stored.columns.size(); ++i)
      if (const std::uint32_t k = plan.kept[stored.columns[i]]; k != TransformPlan::kDropped)
        cells.push_back({k, row, stored.values[i]});
  }
  std::sort(cells.begin(), cells.end(), [](const Scratch::Cell& a, const Scratch::Cell& b) {
    return a.kept != b.kept ? a.kept < b.kept : a.row < b.row;
  });
  auto cell = cells.begin();
  auto forced = never_absent.begin();
  while (cell != cells.end() || forced != never_absent.end()) {
    const std::uint32_t k =
        std::min(cell != cells.end() ? cell->kept : TransformPlan::kDropped,
                 forced != never_absent.end() ? *forced : TransformPlan::kDropped);
    scratch.column.assign(rows.documents(), plan.absent);
    for (; cell != cells.end() && cell->kept == k; ++cell) scratch.column[cell->row] = cell->value;
    if (forced != never_absent.end() && *forced == k) ++forced;
    finish_column(plan, k, first, scratch, sink);
  }
}

// sink(document, output column, value) for all of the data; a document's columns ascend.
template <class Sink>
void transform_all(const TransformPlan& plan, const Dataset& data, ThreadPool& pool, Sink&& sink) {
  const auto never_absent =
      data.is_dense() ? std::vector<std::uint32_t>() : find_never_absent(plan);
  parallel_for(pool, data.queries(), kTransformedQueries, [&](std::size_t first, std::size_t last) {
    Scratch scratch;
    for (std::size_t q = first; q < last; ++q) {
      const std::size_t begin = data.begin(q);
      const auto of_query = [&](std::size_t row, std::size_t column, float value) {
        sink(begin + row, column, value);
      };
      if (data.is_dense()) {
        transform_dense(plan, data.rows(q), begin, scratch, of_query);
      } else {
        transform_sparse(plan, never_absent, data.rows(q), begin, scratch, of_query);
      }
    }
  });
}

Buffer<float> fill_dense(const TransformPlan& plan, const Dataset& data, ThreadPool& pool) {
  std::vector<float> values(data.documents() * plan.outputs(), plan.absent_output);
  transform_all(plan, data, pool, [&](std::size_t document, std::size_t column, float value) {
    values[document * plan.outputs() + column] = value;
  });
  return values;
}

// `row_begin` already has the right offsets.
void fill_sparse(const TransformPlan& plan, const Dataset& data, ThreadPool& pool,
                 std::vector<std::uint64_t> row_begin, DatasetParts& parts) {
  std::vector<std::uint64_t> next(row_begin.begin(), row_begin.end() - 1);
  std::vector<std::uint32_t> columns(row_begin.back());
  std::vector<float> values(row_begin.back());
  transform_all(plan, data, pool, [&](std::size_t document, std::size_t column, float value) {
    const std::uint64_t at = next[document]++;
    columns[at] = static_cast<std::uint32_t>(column);
    values[at] = value;
  });
  parts.row_begin = std::move(row_begin);
  parts.columns = std::move(columns);
  parts.values = std::move(values);
}

// Totals across ranks, so that all use the same storage.
bool sparse_is_smaller(std::size_t entries, std::size_t documents, std::size_t features,
                       Communicator& comm) {
  std::int64_t sums[] = {static_cast<std::int64_t>(entries), static_cast<std::int64_t>(documents)};
  comm.all_reduce_sum(std::span(sums));
  const auto all_entries = static_cast<std::size_t>(sums[0]);
  const auto rows = static_cast<std::size_t>(sums[1]);
  return all_entries * (sizeof(std::uint32_t) + sizeof(float)) +
             (rows + 1) * sizeof(std::uint64_t) <
         rows * features * sizeof(float);
}

// Whether categories already have the right codes on all ranks. Collective, because what follows
// is.
bool codes_stay(const Transform& transform, const Dataset& data, Communicator& comm) {
  if (transform.schema.all_numbers()) return true;
  std::int64_t differ = transform.schema.hash() != data.schema().hash();
  comm.all_reduce_sum(std::span(&differ, 1));
  return differ == 0;
}

bool changes_nothing(const Transform& transform, const Dataset& data, Communicator& comm) {
  if (transform.is_identity()) return true;
  return !transform.log1p && !transform.multiplies() && transform.imputation == Imputation::none &&
         transform.normalization == Normalization::none &&
         (transform.features.empty() || transform.features == data.feature_names()) &&
         codes_stay(transform, data, comm);
}

// Ordered statistics instead of the full ones.
void order_statistics(TransformPlan& plan, const Dataset& data, Context& context) {
  for (CategoryStep& step : plan.categories) {
    if (!step.encoding || step.encoding->kind != Encoding::target) continue;
    std::vector<float> codes(data.documents(), plan.absent);
    if (plan.source[step.kept] != kNoFeature) codes = column_of(data, plan.source[step.kept]);
    for (float& code : codes) code = step(code);
    step.ordered = ordered_statistics(codes, plan.schema.values(step.kept)->size(), data, context);
  }
}

Dataset apply_plan(const TransformPlan& plan, const Dataset& data, Context& context) {
  DatasetParts parts = data.parts();
  parts.features = plan.outputs();
  parts.feature_names = output_names(plan, data);
  parts.schema = output_schema(plan);
  parts.dense = {};
  parts.row_begin = {};
  parts.columns = {};
  parts.values = {};
  parts.absent = plan.absent_output;
  const bool stays_dense = !plan.binned() && plan.transform.encodings.empty();
  if (data.is_dense() && stays_dense) {
    parts.dense = fill_dense(plan, data, context.pool);
    return Dataset(std::move(parts));
  }
  std::vector<std::uint64_t> row_begin(data.documents() + 1, 0);
  transform_all(plan, data, context.pool,
                [&](std::size_t document, std::size_t, float) { ++row_begin[document + 1]; });
  std::partial_sum(row_begin.begin(), row_begin.end(), row_begin.begin());
  if (sparse_is_smaller(row_begin.back(), data.documents(), plan.outputs(), context.comm)) {
    fill_sparse(plan, data, context.pool, std::move(row_begin), parts);
  } else {
    parts.dense = fill_dense(plan, data, context.pool);
  }
  return Dataset(std::move(parts));
}

}  // namespace

bool Transform::is_identity() const noexcept {
  return features.empty() && !log1p && thresholds.empty() && normalization == Normalization::none &&
         schema.all_numbers() && imputation == Imputation::none && encodings.empty();
}

Error category_instead_of_number(const std::string& feature) {
  return Error(
      ErrorCode::data,
      fmt::format("feature '{}' is a number, but this data has categories for it", feature));
}

void require_numbers(const Dataset& data) {
  if (!data.schema().all_numbers())
    throw category_instead_of_number(
        data.feature_names()[data.schema().categories().front().feature]);
}

Dataset apply(const Transform& transform, const Dataset& data, Context& context) {
  if (changes_nothing(transform, data, context.comm)) return data;
  return apply_plan(plan_transform(transform, data), data, context);
}

Dataset apply_to_training(const Transform& transform, const Dataset& data, Context& context) {
  if (changes_nothing(transform, data, context.comm)) return data;
  TransformPlan plan = plan_transform(transform, data);
  order_statistics(plan, data, context);
  return apply_plan(plan, data, context);
}

}  // namespace podium

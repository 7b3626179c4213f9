// Applies a Transform, one query and one column at a time: gathers a feature over the query's
// documents, applies the steps, and passes the results to a sink in ascending order of output
// columns. The sink counts, or fills the sparse or the dense result; so wide sparse data is never
// expanded.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <unordered_set>

#include <fmt/format.h>

#include "core/math_functions.h"
#include "data/transform/expected_types.h"
#include "data/transform/normalization.h"
#include "podium/error.h"
#include "podium/transform.h"

namespace podium {
namespace {

constexpr std::size_t kTransformedQueries = 8;
constexpr std::uint32_t kDropped = std::numeric_limits<std::uint32_t>::max();

// A kept feature that is a category: passed to the output unchanged except for its codes.
struct CategoryStep {
  std::size_t kept = 0;
  std::optional<std::vector<float>> codes;  // by old code; nullopt: unchanged

  float operator()(float x) const {
    if (!codes || std::isnan(x)) return x;
    const auto code = code_of(x, codes->size());
    return code ? (*codes)[*code] : std::numeric_limits<float>::quiet_NaN();
  }
};

// A Transform applied to one data set. Kept features are numbered in the transform's order.
struct Plan {
  const Transform& transform;
  std::vector<std::size_t> source;     // kept feature → input column
  std::vector<std::size_t> out_begin;  // kept feature → first output column; one more at the end
  float absent = 0;                    // of input and output
  FeatureSchema schema;                // of the output
  std::vector<CategoryStep> categories;  // by kept feature
  // Sparse input only:
  std::vector<std::uint32_t> kept;          // input column → kept feature
  std::vector<std::uint32_t> never_absent;  // kept features whose steps do not map 0 to 0

  bool binned() const noexcept { return !transform.thresholds.empty(); }
  std::size_t outputs() const noexcept { return out_begin.back(); }
  bool is_absent(float x) const noexcept { return std::isnan(absent) ? std::isnan(x) : x == 0; }
  // Null for a number.
  const CategoryStep* category(std::size_t k) const {
    const auto found =
        std::lower_bound(categories.begin(), categories.end(), k,
                         [](const CategoryStep& step, std::size_t f) { return step.kept < f; });
    return found != categories.end() && found->kept == k ? &*found : nullptr;
  }
};

// `source`: the columns of the transform's features in the data.
void check(const Transform& transform, std::span<const std::size_t> source) {
  if (!transform.thresholds.empty() && transform.thresholds.size() != source.size())
    throw Error(ErrorCode::data,
                fmt::format("the transform has thresholds for {} features, but there are {}",
                            transform.thresholds.size(), source.size()));
  const bool ascending =
      std::adjacent_find(source.begin(), source.end(), std::greater_equal<>()) == source.end();
  if (ascending) return;  // so there are no duplicates
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : transform.features)
    if (!seen.insert(name).second)
      throw Error(ErrorCode::data, "the transform names feature '" + name + "' twice");
}

const std::string& kept_name(const Plan& plan, std::size_t k, const Dataset& data) {
  return plan.transform.features.empty() ? data.feature_names()[plan.source[k]]
                                         : plan.transform.features[k];
}

// The values that a category has in the data. A feature that no row mentions has the value 0, or is
// missing.
const Strings* values_in_data(const Plan& plan, std::size_t k, const Dataset& data) {
  static const Strings zero_alone = make_strings(std::vector<std::string>{"0"});
  return plan.source[k] == kNoFeature ? &zero_alone : data.schema().values(plan.source[k]);
}

void plan_categories(Plan& plan, const Dataset& data) {
  const FeatureSchema& wanted = plan.transform.schema;
  if (wanted.all_numbers()) {
    plan.schema = data.schema().selected(plan.source);
    for (const auto& category : plan.schema.categories())
      plan.categories.push_back({category.feature, {}});
    return;
  }
  plan.schema = wanted.with_ignored(data.schema().ignored());
  for (std::size_t k = 0; k < plan.source.size(); ++k) {
    const Strings* const to = wanted.values(k);
    const Strings* const from =
        to || plan.source[k] != kNoFeature ? values_in_data(plan, k, data) : nullptr;
    if (!to && !from) continue;
    if (!from)
      throw Error(ErrorCode::data,
                  fmt::format("feature '{0}' is a category, but this data has numbers for it: read "
                              "it with ‹categorical {0}›",
                              kept_name(plan, k, data)));
    if (!to) throw category_instead_of_number(kept_name(plan, k, data));
    CategoryStep step{k, {}};
    if (!same_values(*from, *to)) step.codes = code_map(*from, *to);
    plan.categories.push_back(std::move(step));
  }
}

// The schema of the output, in which binning may have moved the categories.
FeatureSchema output_schema(const Plan& plan) {
  std::vector<FeatureSchema::Category> moved(plan.schema.categories().begin(),
                                             plan.schema.categories().end());
  for (auto& category : moved)
    category.feature = static_cast<std::uint32_t>(plan.out_begin[category.feature]);
  return FeatureSchema(std::move(moved), plan.schema.ignored());
}

Plan make_plan(const Transform& transform, const Dataset& data) {
  Plan plan{.transform = transform,
            .source = {},
            .out_begin = {0},
            .schema = {},
            .categories = {},
            .kept = {},
            .never_absent = {}};
  if (transform.features.empty()) {
    plan.source.resize(data.features());
    std::iota(plan.source.begin(), plan.source.end(), std::size_t{0});
  } else {
    plan.source = find_features(transform.features, data);
  }
  check(transform, plan.source);
  plan_categories(plan, data);
  for (std::size_t k = 0; k < plan.source.size(); ++k)
    plan.out_begin.push_back(plan.out_begin.back() + (plan.binned() && !plan.category(k)
                                                          ? transform.thresholds[k].size()
                                                          : 1));
  if (plan.outputs() >= kDropped) throw Error(ErrorCode::data, "too many features after binning");
  plan.absent = data.parts().absent;
  if (data.is_dense()) return plan;

  plan.kept.assign(data.features(), kDropped);
  for (std::size_t k = 0; k < plan.source.size(); ++k)
    if (plan.source[k] != kNoFeature) plan.kept[plan.source[k]] = static_cast<std::uint32_t>(k);
  const auto moves_absent = [&](std::size_t k) {
    if (const CategoryStep* step = plan.category(k)) return !plan.is_absent((*step)(plan.absent));
    return plan.binned() && !transform.thresholds[k].empty() && transform.thresholds[k].front() < 0;
  };
  if ((plan.binned() || !plan.categories.empty()) && !std::isnan(plan.absent))
    for (std::size_t k = 0; k < plan.source.size(); ++k)
      if (moves_absent(k)) plan.never_absent.push_back(static_cast<std::uint32_t>(k));
  return plan;
}

struct Scratch {
  struct Cell {
    std::uint32_t kept, row;
    float value;
  };
  std::vector<float> column, sorted;
  std::vector<Cell> cells;
};

// Applies the steps to scratch.column and passes on values that are not absent.
template <class Sink>
void finish_column(const Plan& plan, std::size_t k, Scratch& scratch, Sink&& sink) {
  std::vector<float>& column = scratch.column;
  if (const CategoryStep* step = plan.category(k)) {
    for (std::size_t row = 0; row < column.size(); ++row)
      if (const float code = (*step)(column[row]); !plan.is_absent(code))
        sink(row, plan.out_begin[k], code);
    return;
  }
  if (plan.transform.log1p)
    for (float& x : column)
      x = static_cast<float>(std::copysign(math::log1p(std::fabs(static_cast<double>(x))), x));
  normalize_column(plan.transform.normalization, column, scratch.sorted);
  if (!plan.binned()) {
    for (std::size_t row = 0; row < column.size(); ++row)
      if (!plan.is_absent(column[row])) sink(row, plan.out_begin[k], column[row]);
    return;
  }
  std::size_t out = plan.out_begin[k];
  for (const float threshold : plan.transform.thresholds[k]) {
    for (std::size_t row = 0; row < column.size(); ++row) {
      const float x = column[row];
      const float indicator = std::isnan(x) ? x : static_cast<float>(x > threshold);
      if (!plan.is_absent(indicator)) sink(row, out, indicator);
    }
    ++out;
  }
}

template <class Sink>
void transform_dense(const Plan& plan, const Rows& rows, Scratch& scratch, Sink&& sink) {
  scratch.column.resize(rows.documents());
  for (std::size_t k = 0; k < plan.source.size(); ++k) {
    const std::size_t source = plan.source[k];
    for (std::size_t row = 0; row < rows.documents(); ++row)
      scratch.column[row] = source == kNoFeature ? plan.absent : rows.dense(row)[source];
    finish_column(plan, k, scratch, sink);
  }
}

template <class Sink>
void transform_sparse(const Plan& plan, const Rows& rows, Scratch& scratch, Sink&& sink) {
  auto& cells = scratch.cells;
  cells.clear();
  for (std::uint32_t row = 0; row < rows.documents(); ++row) {
    const auto stored = rows.sparse(row);
    for (std::size_t i = 0; i < stored.columns.size(); ++i)
      if (const std::uint32_t k = plan.kept[stored.columns[i]]; k != kDropped)
        cells.push_back({k, row, stored.values[i]});
  }
  std::sort(cells.begin(), cells.end(), [](const Scratch::Cell& a, const Scratch::Cell& b) {
    return a.kept != b.kept ? a.kept < b.kept : a.row < b.row;
  });
  auto cell = cells.begin();
  auto forced = plan.never_absent.begin();
  while (cell != cells.end() || forced != plan.never_absent.end()) {
    const std::uint32_t k = std::min(cell != cells.end() ? cell->kept : kDropped,
                                     forced != plan.never_absent.end() ? *forced : kDropped);
    scratch.column.assign(rows.documents(), plan.absent);
    for (; cell != cells.end() && cell->kept == k; ++cell) scratch.column[cell->row] = cell->value;
    if (forced != plan.never_absent.end() && *forced == k) ++forced;
    finish_column(plan, k, scratch, sink);
  }
}

// sink(document, output column, value) for all of the data; a document's columns ascend.
template <class Sink>
void transform_all(const Plan& plan, const Dataset& data, ThreadPool& pool, Sink&& sink) {
  parallel_for(pool, data.queries(), kTransformedQueries, [&](std::size_t first, std::size_t last) {
    Scratch scratch;
    for (std::size_t q = first; q < last; ++q) {
      const std::size_t begin = data.begin(q);
      const auto of_query = [&](std::size_t row, std::size_t column, float value) {
        sink(begin + row, column, value);
      };
      if (data.is_dense()) {
        transform_dense(plan, data.rows(q), scratch, of_query);
      } else {
        transform_sparse(plan, data.rows(q), scratch, of_query);
      }
    }
  });
}

Buffer<float> fill_dense(const Plan& plan, const Dataset& data, ThreadPool& pool) {
  std::vector<float> values(data.documents() * plan.outputs(), plan.absent);
  transform_all(plan, data, pool, [&](std::size_t document, std::size_t column, float value) {
    values[document * plan.outputs() + column] = value;
  });
  return values;
}

// `row_begin` already has the right offsets.
void fill_sparse(const Plan& plan, const Dataset& data, ThreadPool& pool,
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

std::vector<std::string> output_names(const Plan& plan, const Dataset& data) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < plan.source.size(); ++k) {
    const std::string& name = kept_name(plan, k, data);
    if (!plan.binned() || plan.category(k)) {
      names.push_back(name);
      continue;
    }
    for (const float t : plan.transform.thresholds[k])
      names.push_back(fmt::format("{}>{}", name, t));
  }
  return names;
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
  return !transform.log1p && transform.thresholds.empty() &&
         transform.normalization == Normalization::none &&
         (transform.features.empty() || transform.features == data.feature_names()) &&
         codes_stay(transform, data, comm);
}

}  // namespace

bool Transform::is_identity() const noexcept {
  return features.empty() && !log1p && thresholds.empty() && normalization == Normalization::none &&
         schema.all_numbers();
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
  const Plan plan = make_plan(transform, data);
  DatasetParts parts = data.parts();
  parts.features = plan.outputs();
  parts.feature_names = output_names(plan, data);
  parts.schema = output_schema(plan);
  parts.dense = {};
  parts.row_begin = {};
  parts.columns = {};
  parts.values = {};
  parts.absent = plan.absent;
  if (data.is_dense() && !plan.binned()) {
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

}  // namespace podium

// Scores data with the independent reader of the exported file and compares with the model: scores,
// the value of each tree, and the order of every pair of documents of a query.
#include <algorithm>
#include <cmath>
#include <limits>

#include "models/exporters/exporter.h"
#include "models/forest/forest.h"
#include "models/model_kinds.h"
#include "models/row_values.h"
#include "models/search_engine.h"
#include "podium/error.h"
#include "podium/transform.h"

namespace podium {
namespace {

constexpr double kSingle = 1e-5, kTwofold = 1e-12;  // relative to the largest score
constexpr std::size_t kComparedDocuments = 64;      // documents

// How many of the model's trees give another value in the file. If the file has more trees, the
// additional ones are constants at the front; leaves with the same value count as the same
// decision.
std::size_t changed_decisions(const Forest& forest, const float* inputs,
                              std::span<const double> found) {
  const std::size_t trees = forest.trees.size();
  if (found.size() < trees) throw Error(ErrorCode::data, "the exported file lacks trees");
  std::size_t changed = 0;
  for (std::size_t t = 0; t < trees; ++t) {
    const Tree& tree = forest.trees[t];
    const double value = tree.values[find_leaf(tree, inputs)];
    const double other = found[found.size() - trees + t];
    changed += other != value && static_cast<float>(other) != static_cast<float>(value);
  }
  return changed;
}

// The other kinds make no decisions.
std::size_t changed_decisions(const Linear&, const float*, std::span<const double>) {
  return 0;
}
std::size_t changed_decisions(const Mlp&, const float*, std::span<const double>) {
  return 0;
}
// A blend that is no sum of trees is checked by its scores.
std::size_t changed_decisions(const Blend&, const float*, std::span<const double>) {
  return 0;
}

// The decisions that are compared.
std::size_t decisions_per_document(const Model& model) {
  return members_of(model).empty() ? tree_count(model).value_or(0) : 0;
}

// A blend as the one model that was exported, if it is a sum of trees or of linear models.
SavedModel as_exported(const SavedModel& saved, const Exporter& exporter) {
  return members_of(saved.model).empty()
             ? saved
             : as_saved(on_raw_features(saved, exporter.can, exporter.info.name));
}

// What the target hands its model for a missing value; a NaN where the model knows them. No x < t
// holds for infinity.
float missing_input(std::string_view target) {
  if (target.empty()) return std::numeric_limits<float>::quiet_NaN();
  switch (parse_search_engine(target).missing) {
    case MissingRule::zero:
      return 0;
    case MissingRule::no:
      return std::numeric_limits<float>::infinity();
    case MissingRule::split:
      break;
  }
  return std::numeric_limits<float>::quiet_NaN();
}

// Scores of the file for `raw` features; `inputs` are the same documents as the model sees them.
template <class Kind>
std::vector<double> score_foreign(const ForeignModel& foreign, const Kind& model,
                                  const Dataset& raw, const Dataset& inputs,
                                  const ExportedCategories& categories, float missing,
                                  ThreadPool& pool, ExportCheck& check) {
  std::vector<double> scores(raw.documents());
  check.changed_decisions = parallel_reduce(
      pool, raw.documents(), kComparedDocuments, std::size_t{0},
      [&](std::size_t begin, std::size_t end) {
        const Rows raw_rows = raw.rows(begin, end), input_rows = inputs.rows(begin, end);
        RowValues raw_values(raw_rows), input_values(input_rows);
        std::vector<double> tree_values;
        std::vector<float> document(raw.features());
        std::size_t changed = 0;
        for (std::size_t i = begin; i < end; ++i) {
          std::transform(raw_values(i - begin), raw_values(i - begin) + raw.features(),
                         document.begin(), [=](float x) { return std::isnan(x) ? missing : x; });
          const float* const input = input_values(i - begin);
          for (std::size_t f = 0; f < categories.number_of.size(); ++f)
            if (categories.is_category(f)) document[f] = categories(f, input[f]);
          scores[i] = foreign.score(document, tree_values);
          changed += changed_decisions(model, input, tree_values);
        }
        return changed;
      },
      [](std::size_t& total, std::size_t part) { total += part; });
  return scores;
}

Dataset with_zeros_for_missing(const Dataset& data) {
  DatasetParts parts = data.parts();
  const auto fill = [](Buffer<float>& buffer) {
    if (buffer.empty()) return;
    std::vector<float> values(buffer.view().begin(), buffer.view().end());
    for (float& x : values)
      if (std::isnan(x)) x = 0;
    buffer = std::move(values);
  };
  fill(parts.dense);
  fill(parts.values);
  if (std::isnan(parts.absent)) parts.absent = 0;
  return Dataset(std::move(parts));
}

void compare_order(const Dataset& data, std::span<const double> expected,
                   std::span<const double> found, ExportCheck& check) {
  for (std::size_t q = 0; q < data.queries(); ++q)
    for (std::size_t i = data.begin(q); i < data.end(q); ++i)
      for (std::size_t j = i + 1; j < data.end(q); ++j) {
        const double before = expected[i] - expected[j], after = found[i] - found[j];
        if (before == 0) continue;
        ++check.pairs;
        if (before * after > 0) continue;
        ++(std::abs(before) > 2 * check.tolerance ? check.changed_pairs : check.rounded_pairs);
      }
}

}  // namespace

ExportCheck verify_export(const SavedModel& given_model, const ExportedModel& exported,
                          const Dataset& given, Context& context) {
  const Dataset data =
      exported.missing == ExportOptions::Missing::zero ? with_zeros_for_missing(given) : given;
  const Exporter& exporter = find_exporter(exported.format);
  const SavedModel saved = as_exported(given_model, exporter);
  const auto foreign = exporter.read(exported.content, saved.features);
  Transform selection;
  selection.features = saved.features;
  const Dataset raw = apply(selection, data, context);
  const Dataset inputs = prepare_inputs(saved, data, context);
  std::vector<double> expected = score(given_model, data, context);
  const ExportedCategories categories(saved.schema, saved.features.size());
  ExportCheck check;
  check.decisions = decisions_per_document(saved.model) * raw.documents();
  // Other kinds than trees take it as 0 everywhere.
  const float missing = missing_input(tree_count(saved.model) ? exported.target : "");
  const std::vector<double> found = std::visit(
      [&](const auto& kind) {
        return score_foreign(*foreign, kind, raw, inputs, categories, missing, context.pool, check);
      },
      saved.model);
  check.documents = expected.size();
  for (double& score : expected) {
    check.largest_score = std::max(check.largest_score, std::abs(score));
    score += exported.shift;
  }
  const double scale = check.largest_score + std::abs(exported.shift);
  check.tolerance =
      scale * (foreign->precision() == ForeignModel::Precision::single ? kSingle : kTwofold);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double difference = std::abs(expected[i] - found[i]);
    check.largest_difference =
        std::isnan(difference) ? HUGE_VAL : std::max(check.largest_difference, difference);
  }
  compare_order(data, expected, found, check);
  return check;
}

}  // namespace podium

#include "experiments/comparison/comparison_identity.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "experiments/comparison/json_number.h"
#include "models/file/json_text.h"

namespace podium {
namespace {

using Json = nlohmann::ordered_json;

Json label_json(float label) {
  return label == std::floor(label) && std::abs(label) < 1e6F
             ? Json(static_cast<std::int64_t>(label))
             : json_number(decimal(label));
}

// Whole lists would make files of wide data large.
Json columns_json(const DataSummary& summary) {
  const ColumnSummary& found = summary.columns;
  const auto documents = static_cast<double>(summary.documents);
  Json list = Json::array();
  for (const ColumnSummary::Column& column : found.columns) {
    Json one = {{"name", column.name}, {"type", to_text(column.type)}};
    if (column.type == FeatureType::category) one["values"] = column.values;
    one["missing"] = static_cast<double>(column.missing) / documents;
    list.push_back(std::move(one));
  }
  const std::size_t shown = std::min(found.ignored.size(), ColumnSummary::kMost);
  for (std::size_t i = 0; i < shown; ++i)
    list.push_back({{"name", found.ignored[i]}, {"type", "ignored"}});
  return {{"numbers", summary.features - found.categories},
          {"categories", found.categories},
          {"ignored", found.ignored.size()},
          {"with_missing", found.with_missing},
          {"list", list}};
}

Json data_json(const Design& design) {
  const DataSummary& summary = design.summary();
  Json grades = Json::array(), histogram = Json::array();
  for (const auto& [grade, documents] : summary.grades)
    grades.push_back({{"grade", label_json(grade)}, {"documents", documents}});
  for (const auto& bin : summary.length_histogram())
    histogram.push_back({{"from", bin.from}, {"to", bin.to}, {"queries", bin.queries}});
  const auto& lengths = summary.lengths;
  const std::size_t n = lengths.size();
  const double median =
      n == 0
          ? 0
          : (static_cast<double>(lengths[(n - 1) / 2]) + static_cast<double>(lengths[n / 2])) / 2;
  Json json = {
      {"name", design.name()},
      {"fingerprint", fmt::format("{:016x}", summary.fingerprint)},
      {"queries", summary.queries},
      {"documents", summary.documents},
      {"features", summary.features},
      {"empty", summary.empty},
      {"grades", grades},
      {"list_lengths",
       {{"min", n ? lengths.front() : 0},
        {"median", median},
        {"mean", n ? static_cast<double>(summary.documents) / static_cast<double>(n) : 0.0},
        {"max", n ? lengths.back() : 0},
        {"histogram", histogram}}}};
  if (!summary.columns.all_plain()) json["columns"] = columns_json(summary);
  return json;
}

Json design_json(const ComparisonPlan& plan) {
  const bool trials = plan.design->kind() == "trials";
  Json tune = nullptr;
  if (const auto& tuning = plan.terms.tuning)
    tune = {{"trials", tuning->trials}, {"search", choice_name(search_methods(), tuning->method)}};
  Json design = {{"kind", plan.design->kind()},
                 {"folds", plan.design->folds()},
                 {"train_queries", trials ? Json(plan.options.train_queries) : Json(nullptr)},
                 {"valid_queries", trials ? Json(plan.options.valid_queries) : Json(nullptr)},
                 {"seeds", plan.options.seeds},
                 {"without", plan.options.without},
                 {"normalize", plan.options.normalize},
                 {"bins", plan.options.bins},
                 {"tune", tune}};
  if (!plan.options.bin_rule.empty()) design["bin_rule"] = plan.options.bin_rule;
  if (!plan.options.impute.empty()) design["impute"] = plan.options.impute;
  if (!plan.options.indicators.empty()) design["indicators"] = plan.options.indicators;
  if (!plan.options.encode.empty()) design["encode"] = plan.options.encode;
  return design;
}

std::string brief(const Json& json) {
  constexpr std::size_t kLongest = 60;
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  return text.size() <= kLongest ? text : text.substr(0, kLongest) + "…";
}

}  // namespace

Json given_options(const System& system) {
  if (!system.scores.empty()) return {{"scores", system.scores}};
  const Settings settings = settings_of(system);
  Json given = Json::object();
  for (const auto& [name, text] : system.given) given[name] = value_json(settings[name]);
  for (std::size_t m = 0; m < system.members.size(); ++m)
    given[fmt::format("member {}", m + 1)] = system.members[m].name;
  if (!system.loss.empty()) given["loss"] = system.loss;
  if (system.pointwise > 0) given["pointwise"] = system.pointwise;
  if (!system.feature.empty()) given["feature"] = system.feature;
  const Preparation& own = system.preparation;
  if (!own.features.empty()) given["features"] = own.features;
  if (own.normalize) given["normalize"] = to_text(*own.normalize);
  if (own.bins > 0) given["bins"] = own.bins;
  if (own.bin_rule) given["bin-rule"] = to_text(*own.bin_rule);
  if (own.impute) given["impute"] = to_text(*own.impute);
  if (own.indicators) given["indicators"] = to_text(*own.indicators);
  if (own.encode) given["encode"] = to_text(*own.encode);
  return given;
}

Json comparison_identity(const ComparisonPlan& plan) {
  return {{"format", "podium-results"},
          {"version", 1},
          {"podium", {{"version", plan.version}}},
          {"seed", plan.seed},
          {"data", data_json(*plan.design)},
          {"convention",
           {{"name", plan.terms.convention.name}, {"text", plan.terms.convention.text()}}},
          {"measures", plan.labels},
          {"design", design_json(plan)}};
}

std::string why_another(const Json& old, const ComparisonPlan& plan) {
  const Json fresh = comparison_identity(plan);
  for (const auto& [key, value] : fresh.items()) {
    if (!old.contains(key)) return fmt::format("its results.json has no '{}'", key);
    if (old[key] == value) continue;
    if (!value.is_object() || !old[key].is_object())
      return fmt::format("its {} is {}, but here it is {}", key, brief(old[key]), brief(value));
    for (const auto& [inner, wanted] : value.items())
      if (!old[key].contains(inner) || old[key][inner] != wanted)
        return fmt::format("its {} {} is {}, but here it is {}", key, inner,
                           old[key].contains(inner) ? brief(old[key][inner]) : "not there",
                           brief(wanted));
  }
  if (!old.contains("systems") || !old["systems"].is_array())
    return "its results.json has no systems";
  for (const Json& known : old["systems"]) {
    const auto same = [&](const System& system) {
      return known.contains("name") && known["name"] == system.name && known.contains("learner") &&
             known["learner"] == system.learner && known.contains("given") &&
             known["given"] == given_options(system);
    };
    if (std::none_of(plan.systems.begin(), plan.systems.end(), same))
      return fmt::format("it has the system {}, which is not in ‹learners› in this form",
                         known.contains("name") ? brief(known["name"]) : brief(known));
  }
  return {};
}

}  // namespace podium

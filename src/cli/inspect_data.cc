// The data half of `podium inspect`.
#include <fmt/format.h>

#include "cli/inspect.h"
#include "core/counted.h"
#include "core/printable.h"
#include "podium/describe.h"

namespace podium::cli {
namespace {

constexpr std::size_t kListed = 20;

std::string megabytes(std::uint64_t bytes) {
  return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1 << 20));
}

double percent(std::uint64_t part, std::uint64_t whole) {
  return whole ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

// "a, b, c … 17 more"
std::string listed(const std::vector<std::string>& items) {
  const std::size_t shown = std::min(items.size(), kListed);
  std::string text = fmt::format(
      "{}", fmt::join(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  text = printable(text);
  if (items.size() > shown) text += fmt::format(" … {} more", items.size() - shown);
  return text;
}

std::vector<std::string> constant_names(const DataDescription& data) {
  std::vector<std::string> names;
  for (const std::size_t f : data.constant_features) names.push_back(data.feature[f].name);
  return names;
}

std::vector<std::string> duplicate_names(const DataDescription& data) {
  std::vector<std::string> names;
  for (const auto& [feature, original] : data.duplicate_features)
    names.push_back(
        fmt::format("{} = {}", data.feature[feature].name, data.feature[original].name));
  return names;
}

std::string labels_text(const DataDescription& data) {
  if (data.grades.empty())
    return fmt::format("labels\t{} to {}, {} distinct\n", data.label_min, data.label_max,
                       data.distinct_labels);
  std::string text;
  for (const auto& [grade, count] : data.grades)
    text += fmt::format("grade {}\t{} ({:.2f} %)\n", grade, count, percent(count, data.documents));
  return text;
}

std::string extras_text(const DataDescription& data) {
  std::vector<std::string> extras;
  if (data.has_docids) extras.emplace_back("document ids");
  if (data.has_hosts) extras.emplace_back("hosts");
  if (data.has_weights) extras.emplace_back("weights");
  if (data.has_positions) extras.emplace_back("positions");
  return extras.empty() ? "" : fmt::format("also has\t{}\n", fmt::join(extras, ", "));
}

std::string features_text(const DataDescription& data) {
  std::string text = fmt::format("{:<24} {:>12} {:>12} {:>12} {:>10} {:>10}\n", "feature", "min",
                                 "mean", "max", "zero %", "missing %");
  for (const FeatureSummary& f : data.feature) {
    const double missing = percent(f.missing, data.documents);
    if (f.type == FeatureType::category)
      text += fmt::format("{:<24} {:>49} {:>10.2f}\n", printable(f.name),
                          "category, " + counted(f.categories, "value"), missing);
    else
      text += fmt::format("{:<24} {:>12.6g} {:>12.6g} {:>12.6g} {:>10.2f} {:>10.2f}\n",
                          printable(f.name), f.min, f.mean, f.max, percent(f.zeros, data.documents),
                          missing);
  }
  return text;
}

std::string description_text(const std::string& path, const DataDescription& data) {
  std::string text = fmt::format("{}: data\nqueries\t{}\ndocuments\t{}\nfeatures\t{}\n", path,
                                 data.queries, data.documents, data.features);
  text += labels_text(data);
  text += fmt::format("documents a query\t{} to {}, median {:g}, mean {:.2f}\n", data.shortest,
                      data.longest, data.median_length, data.mean_length);
  text += fmt::format("queries without relevant\t{} ({:.2f} %)\n", data.queries_without_relevant,
                      percent(data.queries_without_relevant, data.queries));
  text += fmt::format("queries of one grade\t{} ({:.2f} %)\n", data.queries_of_one_grade,
                      percent(data.queries_of_one_grade, data.queries));
  if (data.absent_features > 0)
    text +=
        fmt::format("absent features\t{} (in no document; left out below)\n", data.absent_features);
  if (!data.ignored.empty()) text += fmt::format("ignored columns\t{}\n", listed(data.ignored));
  text += fmt::format("constant features\t{}{}\n", data.constant_features.size(),
                      data.constant_features.empty() ? "" : ": " + listed(constant_names(data)));
  text += fmt::format("duplicate features\t{}{}\n", data.duplicate_features.size(),
                      data.duplicate_features.empty() ? "" : ": " + listed(duplicate_names(data)));
  text += fmt::format("duplicate documents\t{} (same features within their query)\n",
                      data.duplicate_documents);
  text += fmt::format("conflicting duplicates\t{} (different labels) in {}\n",
                      data.conflicting_documents, counted(data.queries_with_conflicts, "query"));
  text += fmt::format(
      "memory\t{}, {}\n", megabytes(data.bytes),
      data.dense ? "dense"
                 : fmt::format("sparse, {:.2f} % stored",
                               percent(data.stored_values, data.documents * data.features)));
  return text + extras_text(data) + features_text(data);
}

Json description_json(const std::string& path, const DataDescription& data) {
  Json json = {
      {"file", path},
      {"kind", "data"},
      {"queries", data.queries},
      {"documents", data.documents},
      {"features", data.features},
      {"labels",
       {{"min", data.label_min}, {"max", data.label_max}, {"distinct", data.distinct_labels}}},
      {"list_length",
       {{"min", data.shortest},
        {"median", data.median_length},
        {"mean", data.mean_length},
        {"max", data.longest}}},
      {"queries_without_relevant", data.queries_without_relevant},
      {"queries_of_one_grade", data.queries_of_one_grade},
      {"absent_features", data.absent_features},
      {"constant_features", constant_names(data)},
      {"duplicate_documents", data.duplicate_documents},
      {"conflicting_documents", data.conflicting_documents},
      {"queries_with_conflicts", data.queries_with_conflicts},
      {"storage", data.dense ? "dense" : "sparse"},
      {"stored_values", data.stored_values},
      {"bytes", data.bytes}};
  Json grades = Json::object();
  for (const auto& [grade, count] : data.grades) grades[fmt::format("{}", grade)] = count;
  if (!data.grades.empty()) json["grades"] = grades;
  Json& duplicates = json["duplicate_features"] = Json::array();
  for (const auto& [feature, original] : data.duplicate_features)
    duplicates.push_back(
        {{"feature", data.feature[feature].name}, {"same_as", data.feature[original].name}});
  Json& features = json["feature"] = Json::array();
  for (const FeatureSummary& f : data.feature) {
    if (f.type == FeatureType::category)
      features.push_back({{"name", f.name},
                          {"type", podium::to_text(f.type)},
                          {"categories", f.categories},
                          {"missing", f.missing}});
    else
      features.push_back({{"name", f.name},
                          {"min", f.min},
                          {"mean", f.mean},
                          {"max", f.max},
                          {"zeros", f.zeros},
                          {"missing", f.missing}});
  }
  if (!data.ignored.empty()) json["ignored"] = data.ignored;
  return json;
}

}  // namespace

Inspection inspect_data(const std::string& path, const DataOptions& reading, Context& context) {
  const Dataset data = reading.read(path, context);
  context.observer.phase("inspecting " + path);
  const DataDescription description = describe(data, context);
  return {description_text(path, description), description_json(path, description)};
}

}  // namespace podium::cli

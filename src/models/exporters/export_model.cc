#include <set>

#include <fmt/format.h>

#include "core/overloaded.h"
#include "models/exporters/exporter.h"
#include "models/model_kinds.h"
#include "models/search_engine.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr Capabilities kFlatTrees = {.missing = true, .categories = true};
constexpr Capabilities kTreesWithBase = {.bias = true, .missing = true, .categories = true};
constexpr Capabilities kNestedTrees = {.missing = true, .nested = true};
constexpr Capabilities kNumbersOnly = {.nested = true};
constexpr Capabilities kEverything = {.bias = true,
                                      .missing = true,
                                      .offset = true,
                                      .outputs = true,
                                      .log1p = true,
                                      .categories = true};

constexpr Exporter kExporters[] = {
    {{"lightgbm", "text model of LightGBM, also read by treelite"},
     kFlatTrees,
     nullptr,
     lightgbm_text,
     nullptr,
     nullptr,
     read_lightgbm_text},
    {{"xgboost-json", "model of XGBoost in JSON, for Booster.load_model"},
     kTreesWithBase,
     nullptr,
     xgboost_json,
     nullptr,
     nullptr,
     read_xgboost_model},
    {{"xgboost-ubj", "model of XGBoost in UBJSON, for Booster.load_model"},
     kTreesWithBase,
     nullptr,
     xgboost_ubjson,
     nullptr,
     nullptr,
     read_xgboost_model},
    {{"xgboost", "JSON dump of XGBoost's trees, for tools that read dumps"},
     kNestedTrees,
     nullptr,
     xgboost_forest,
     nullptr,
     nullptr,
     read_xgboost_dump},
    {{"ranklib", "RankLib's ensemble of trees, or its linear model"},
     kNumbersOnly,
     ranklib_linear,
     ranklib_forest,
     nullptr,
     nullptr,
     read_ranklib},
    {{"elasticsearch",
      "request that stores the model in Elasticsearch's or OpenSearch's LTR plugin"},
     kNestedTrees,
     elasticsearch_linear,
     elasticsearch_forest,
     nullptr,
     nullptr,
     read_elasticsearch},
    {{"solr", "model of Solr's LTR module"},
     kNumbersOnly,
     solr_linear,
     solr_forest,
     solr_mlp,
     nullptr,
     read_solr},
    {{"vespa", "LightGBM's JSON as Vespa reads it"},
     kNestedTrees,
     nullptr,
     vespa_forest,
     nullptr,
     nullptr,
     read_vespa},
    {{"onnx", "ONNX, for ONNX Runtime and others"},
     kEverything,
     onnx_linear,
     onnx_forest,
     onnx_mlp,
     onnx_blend,
     read_onnx},
    {{"cpp", "C++17 header with a scoring function and no dependencies"},
     kEverything,
     cpp_linear,
     cpp_forest,
     cpp_mlp,
     cpp_blend,
     read_cpp_header},
};

// "a, b and c": the formats for which the predicate holds.
template <class Predicate>
std::string names_of(Predicate&& holds) {
  std::vector<std::string_view> names;
  for (const Exporter& exporter : kExporters)
    if (holds(exporter)) names.push_back(exporter.info.name);
  const std::string_view last = names.back();
  names.pop_back();
  return names.empty() ? std::string(last) : fmt::format("{} and {}", fmt::join(names, ", "), last);
}

template <class Kind>
std::string write_kind(const Exporter& exporter,
                       std::string (*Exporter::*writer)(const ExportTask&, const Kind&),
                       std::string_view kinds, const ExportTask& task, const Kind& model) {
  if (exporter.*writer) return (exporter.*writer)(task, model);
  const bool has_categories = !task.model.schema.all_numbers();
  const std::string others = names_of([&](const Exporter& other) {
    return other.*writer != nullptr && (other.can.categories || !has_categories);
  });
  throw Error(ErrorCode::data,
              fmt::format("cannot export to {}: the format has no {}; {} {}", exporter.info.name,
                          kinds, others, others.find(' ') == others.npos ? "has" : "have"));
}

// "sums of forest and linear models": what stands in the way of one model.
std::string kinds_of(const Blend& blend) {
  std::set<std::string_view> kinds;
  for (const BlendMember& member : blend.members) kinds.insert(kind_name(member.saved.model));
  return kinds.size() == 1
             ? fmt::format("sums of several {} models that cannot be added up to one",
                           *kinds.begin())
             : fmt::format("sums of models of different kinds ({})", fmt::join(kinds, ", "));
}

Capabilities capabilities_for(const Exporter& exporter, std::string_view target) {
  Capabilities can = exporter.can;
  if (target.empty()) return can;
  const SearchEngine engine = parse_search_engine(target);
  if (engine.format != exporter.info.name)
    throw Error(ErrorCode::usage, fmt::format("‹target {}› needs the format {}, not {}", target,
                                              engine.format, exporter.info.name));
  can.missing = engine.missing != MissingRule::zero;
  can.missing_fails = engine.missing == MissingRule::no;
  return can;
}

}  // namespace

std::string format_of_target(std::string_view target) {
  return std::string(parse_search_engine(target).format);
}

std::span<const Exporter> exporters() {
  return kExporters;
}

std::string carriers(bool Capabilities::*what) {
  return names_of([what](const Exporter& exporter) { return exporter.can.*what; });
}

std::string carriers_of_blends(bool Capabilities::*what) {
  return names_of(
      [what](const Exporter& exporter) { return exporter.blend && exporter.can.*what; });
}

const Exporter& find_exporter(std::string_view name) {
  std::vector<std::string> names;
  for (const Exporter& exporter : kExporters) {
    if (exporter.info.name == name) return exporter;
    names.emplace_back(exporter.info.name);
  }
  throw Error(ErrorCode::usage, fmt::format("unknown format '{}'{} (there are {})", name,
                                            suggestion(name, names), fmt::join(names, ", ")));
}

std::vector<ExportFormat> export_formats() {
  std::vector<ExportFormat> out;
  for (const Exporter& exporter : kExporters) out.push_back(exporter.info);
  return out;
}

ExportedModel export_model(const SavedModel& saved, std::string_view format,
                           const ExportOptions& options) {
  const Exporter& exporter = find_exporter(format);
  ExportedModel exported;
  exported.format = exporter.info.name;
  exported.target = options.target;
  const Capabilities can = capabilities_for(exporter, options.target);
  const PortableModel portable = make_portable(saved, can, options, exported);
  const ExportTask task{portable, can, options, exported};
  exported.content = std::visit(
      Overloaded{[&](const Linear& linear) {
                   return write_kind(exporter, &Exporter::linear, "linear models", task, linear);
                 },
                 [&](const Forest& forest) {
                   return write_kind(exporter, &Exporter::forest, "trees", task, forest);
                 },
                 [&](const Mlp& mlp) {
                   return write_kind(exporter, &Exporter::mlp, "perceptrons", task, mlp);
                 },
                 [&](const Blend& blend) {
                   return write_kind(exporter, &Exporter::blend, kinds_of(blend), task, blend);
                 }},
      portable.model);
  return exported;
}

}  // namespace podium

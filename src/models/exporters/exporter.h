// The table of formats: for each, what it can represent, a writer for each kind of model, and the
// independent reader that verify_export uses. A null writer means that the format does not support
// this kind of model.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "models/exporters/portable_model.h"
#include "models/foreign/foreign_model.h"

namespace podium {

// The input of a writer besides the model.
struct ExportTask {
  const PortableModel& model;
  const Capabilities& can;  // of the format, and of the target
  const ExportOptions& options;
  ExportedModel& exported;  // for notes

  const std::vector<std::string>& features() const noexcept { return model.features; }
};

struct Exporter {
  ExportFormat info;
  Capabilities can;
  std::string (*linear)(const ExportTask&, const Linear&);
  std::string (*forest)(const ExportTask&, const Forest&);
  std::string (*mlp)(const ExportTask&, const Mlp&);
  std::string (*blend)(const ExportTask&, const Blend&);
  std::unique_ptr<const ForeignModel> (*read)(std::string_view, std::span<const std::string>);
};
std::span<const Exporter> exporters();
// "onnx and cpp": the formats with this capability.
std::string carriers(bool Capabilities::*what);
// Of those that support sums of any models.
std::string carriers_of_blends(bool Capabilities::*what);
const Exporter& find_exporter(std::string_view name);

std::string lightgbm_text(const ExportTask& task, const Forest& forest);
std::string vespa_forest(const ExportTask& task, const Forest& forest);
std::string xgboost_json(const ExportTask& task, const Forest& forest);
std::string xgboost_ubjson(const ExportTask& task, const Forest& forest);
std::string xgboost_forest(const ExportTask& task, const Forest& forest);
std::string elasticsearch_forest(const ExportTask& task, const Forest& forest);
std::string elasticsearch_linear(const ExportTask& task, const Linear& linear);
std::string ranklib_forest(const ExportTask& task, const Forest& forest);
std::string ranklib_linear(const ExportTask& task, const Linear& linear);
std::string solr_forest(const ExportTask& task, const Forest& forest);
std::string solr_linear(const ExportTask& task, const Linear& linear);
std::string solr_mlp(const ExportTask& task, const Mlp& mlp);
std::string onnx_forest(const ExportTask& task, const Forest& forest);
std::string onnx_linear(const ExportTask& task, const Linear& linear);
std::string onnx_mlp(const ExportTask& task, const Mlp& mlp);
std::string onnx_blend(const ExportTask& task, const Blend& blend);
std::string cpp_blend(const ExportTask& task, const Blend& blend);
std::string cpp_forest(const ExportTask& task, const Forest& forest);
std::string cpp_linear(const ExportTask& task, const Linear& linear);
std::string cpp_mlp(const ExportTask& task, const Mlp& mlp);

}  // namespace podium

// The table of importers, and checks common to all of them.
#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "models/exporters/thresholds.h"
#include "models/importers/importer.h"
#include "models/importers/text_lines.h"

namespace podium {
namespace {

template <class Number>
bool all_imported_finite(const std::vector<Number>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](Number x) { return std::isfinite(x); });
}

bool is_finite(const Linear& linear) {
  return all_imported_finite(linear.weights) && std::isfinite(linear.bias);
}
bool is_finite(const Forest& forest) {
  return all_imported_finite(forest.base) &&
         std::all_of(forest.trees.begin(), forest.trees.end(),
                     [](const Tree& tree) { return all_imported_finite(tree.values); });
}
bool is_finite(const Mlp& mlp) {
  return std::all_of(mlp.layers.begin(), mlp.layers.end(), [](const Mlp::Layer& layer) {
    return all_imported_finite(layer.bias) &&
           std::all_of(layer.weights.begin(), layer.weights.end(), all_imported_finite<float>);
  });
}

bool is_finite(const Blend& blend) {
  return std::all_of(blend.members.begin(), blend.members.end(), [](const BlendMember& member) {
    return std::isfinite(member.factor()) &&
           std::visit([](const auto& kind) { return is_finite(kind); }, member.saved.model);
  });
}

void require_finite(const Model& model, const std::string& file) {
  if (!std::visit([](const auto& kind) { return is_finite(kind); }, model))
    throw Error(ErrorCode::data, "the model's numbers overflow when added", {file});
}

struct Importer {
  std::string_view name;
  ImportReader* read;
};
constexpr Importer kImporters[] = {{"lightgbm", import_lightgbm},
                                   {"xgboost", import_xgboost},
                                   {"catboost", import_catboost},
                                   {"ranklib", import_ranklib},
                                   {"onnx", import_onnx},
                                   {"solr", import_solr},
                                   {"elasticsearch", import_elasticsearch}};

}  // namespace

Tree::Node::Missing side_of_zero(double threshold) {
  return threshold >= 0 ? Tree::Node::Missing::left : Tree::Node::Missing::right;
}

float float_threshold(double t, const Place& place) {
  const float rounded = largest_float_at_most(t);
  if (!std::isfinite(rounded))
    throw Error(ErrorCode::data, fmt::format("the threshold {} is below all 32-bit floats", t),
                place);
  return rounded;
}

std::vector<std::string> import_formats() {
  std::vector<std::string> names;
  for (const Importer& importer : kImporters) names.emplace_back(importer.name);
  return names;
}

ImportedModel import_model(std::string_view content, const std::string& file,
                           std::string_view format, const ImportOptions& options) {
  for (const Importer& importer : kImporters) {
    if (importer.name != format) continue;
    if (!options.target.empty() && format != "solr" && format != "elasticsearch")
      throw Error(ErrorCode::usage,
                  fmt::format("‹target› is for solr and elasticsearch, not for {}", format));
    ImportedModel out = importer.read(content, file, options);
    require_finite(out.model.model, file);
    std::set<std::string_view> names;
    for (const std::string& name : out.model.features)
      if (!names.insert(name).second)
        throw Error(ErrorCode::data,
                    fmt::format("two features are called '{}'", TextLines::shown(name)), {file});
    out.model.learner = std::string(format);
    return out;
  }
  throw Error(ErrorCode::usage, fmt::format("cannot import '{}'; supported are {}", format,
                                            fmt::join(import_formats(), ", ")));
}

}  // namespace podium

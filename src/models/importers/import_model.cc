// The table of importers, and what holds for all of them.
#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "models/exporters/thresholds.h"
#include "models/importers/importer.h"

namespace podium {
namespace {

void require_finite(const Model& model, const std::string& file) {
  bool finite = true;
  if (const auto* forest = std::get_if<Forest>(&model)) {
    for (const Tree& tree : forest->trees)
      for (const double value : tree.values) finite = finite && std::isfinite(value);
  } else if (const auto* linear = std::get_if<Linear>(&model)) {
    for (const double weight : linear->weights) finite = finite && std::isfinite(weight);
    finite = finite && std::isfinite(linear->bias);
  }
  if (!finite) throw Error(ErrorCode::data, "the model's numbers are too large together", {file});
}

struct Importer {
  std::string_view name;
  ImportedModel (*read)(std::string_view, const std::string&, const ImportOptions&);
};
constexpr Importer kImporters[] = {{"lightgbm", import_lightgbm}, {"ranklib", import_ranklib}};

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
    ImportedModel out = importer.read(content, file, options);
    require_finite(out.model.model, file);
    std::set<std::string_view> names;
    for (const std::string& name : out.model.features)
      if (!names.insert(name).second)
        throw Error(ErrorCode::data, fmt::format("two features are called '{}'", name), {file});
    out.model.learner = std::string(format);
    return out;
  }
  throw Error(ErrorCode::usage, fmt::format("cannot import '{}'; {} can be imported", format,
                                            fmt::join(import_formats(), " and ")));
}

}  // namespace podium

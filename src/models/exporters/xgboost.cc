// XGBoost's JSON dump, an array of nested nodes, as the LTR plugins of Elasticsearch and OpenSearch
// read it: no key beyond theirs, `missing` always, and the first child is `yes`. Everything is
// single precision, and a document goes to `yes` where x < split_condition. And the request that
// stores a model in such a plugin, with trees as model/xgboost+json and weights as model/linear.
#include <fmt/format.h>

#include "models/exporters/exporter.h"
#include "models/exporters/number_text.h"
#include "models/exporters/xgboost_nodes.h"

namespace podium {
namespace {

class DumpWriter {
 public:
  DumpWriter(const Tree& tree, const std::vector<std::string>& names)
      : tree_(tree), names_(names), ids_(tree) {}

  std::string text(std::int32_t at, std::size_t depth) const {
    if (at < 0)
      return fmt::format(
          R"({{"nodeid":{},"leaf":{}}})", ids_.of(at),
          real_text(static_cast<float>(tree_.values[static_cast<std::size_t>(~at)])));
    const Tree::Node& node = tree_.nodes[static_cast<std::size_t>(at)];
    const XgboostSplit split = xgboost_split(node);
    return fmt::format(
        R"({{"nodeid":{},"depth":{},"split":{},"split_condition":{},"yes":{},"no":{},)"
        R"("missing":{},"children":[{},{}]}})",
        ids_.of(at), depth, json_text(names_[node.feature]), real_text(split.condition),
        ids_.of(split.yes), ids_.of(split.no), ids_.of(split.missing), text(split.yes, depth + 1),
        text(split.no, depth + 1));
  }

 private:
  const Tree& tree_;
  const std::vector<std::string>& names_;
  XgboostNodeIds ids_;
};

std::string request(const ExportTask& task, std::string_view type, const std::string& definition) {
  return fmt::format(
      "{{\"model\":{{\"name\":{},\"model\":{{\"type\":\"{}\",\"definition\":{}}}}}}}\n",
      json_text(task.options.name), type, json_text(definition));
}

}  // namespace

std::string xgboost_forest(const ExportTask& task, const Forest& forest) {
  std::string out = "[";
  for (const Tree& tree : forest.trees) {
    out += out.size() > 1 ? ",\n" : "\n";
    out += DumpWriter(tree, task.features()).text(tree.nodes.empty() ? ~0 : 0, 0);
  }
  return out + "\n]\n";
}

std::string elasticsearch_forest(const ExportTask& task, const Forest& forest) {
  return request(task, "model/xgboost+json", xgboost_forest(task, forest));
}

std::string elasticsearch_linear(const ExportTask& task, const Linear& linear) {
  std::string definition = "{";
  for (std::size_t f = 0; f < linear.weights.size(); ++f)
    definition += fmt::format("{}{}:{}", f > 0 ? "," : "", json_text(task.features()[f]),
                              real_text(linear.weights[f]));
  return request(task, "model/linear", definition + "}");
}

}  // namespace podium

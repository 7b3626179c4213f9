// XGBoost's JSON dump, an array of nested nodes, as the LTR plugins of Elasticsearch and OpenSearch
// read it: no key beyond theirs, `missing` always, and the first child is `yes`. Everything is
// single precision, and a document goes to `yes` where x < split_condition. And the request that
// stores a model in such a plugin, with trees as model/xgboost+json and weights as model/linear.
//
// x ≤ the largest float would need a condition of infinity, which JSON does not have. All values
// are, and none is below the smallest one: such a split is written with its children exchanged, as
// x < −largest, and missing values stay with their child.
#include <cmath>
#include <deque>

#include <fmt/format.h>

#include "models/exporters/exporter.h"
#include "models/exporters/number_text.h"
#include "models/exporters/thresholds.h"

namespace podium {
namespace {

// A split as the format has it: to `yes` where x < condition.
struct Split {
  float condition;
  std::int32_t yes, no, missing;  // children
};
Split split_of(const Tree::Node& node) {
  const std::int32_t missing = node.missing == Tree::Node::Missing::left ? node.left : node.right;
  const float next = next_float(node.threshold);
  if (std::isinf(next)) return {-node.threshold, node.right, node.left, missing};
  return {next, node.left, node.right, missing};
}

// The numbers XGBoost gives: level by level, `no` right after `yes`, which it relies on.
struct NodeIds {
  std::vector<std::size_t> node, leaf;

  explicit NodeIds(const Tree& tree) : node(tree.nodes.size()), leaf(tree.values.size()) {
    std::size_t next = 1;
    std::deque<std::size_t> open;
    if (!tree.nodes.empty()) open.push_back(0);
    for (; !open.empty(); open.pop_front())
      for (const Split split = split_of(tree.nodes[open.front()]);
           const std::int32_t child : {split.yes, split.no})
        if (child < 0) {
          leaf[static_cast<std::size_t>(~child)] = next++;
        } else {
          node[static_cast<std::size_t>(child)] = next++;
          open.push_back(static_cast<std::size_t>(child));
        }
  }
  std::size_t of(std::int32_t at) const {
    return at < 0 ? leaf[static_cast<std::size_t>(~at)] : node[static_cast<std::size_t>(at)];
  }
};

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
    const Split split = split_of(node);
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
  NodeIds ids_;
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

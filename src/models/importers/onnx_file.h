// The tree ensemble of an ONNX file, as it stands: TreeEnsembleRegressor of ai.onnx.ml 1 to 3,
// alone in its graph but for casts and changes of shape.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace podium {

struct OnnxEnsemble {
  // One entry per node of all trees.
  std::vector<std::int64_t> tree, node, feature, yes, no;
  std::vector<bool> missing_yes;  // else as the comparison says, which never holds for a NaN
  std::vector<double> value;
  std::vector<std::string_view> mode;
  // One entry per leaf.
  std::vector<std::int64_t> leaf_tree, leaf_node;
  std::vector<double> leaf_value;
  double base = 0;
  enum class Aggregate { sum, average } aggregate = Aggregate::sum;
};

struct OnnxFile {
  OnnxEnsemble ensemble;
  std::uint64_t inputs = 0;                // columns of the input; 0: the graph does not say
  std::vector<std::string> feature_names;  // that podium export stores; may be empty
};

// The result refers to `content`. Error (data) without a place.
OnnxFile parse_onnx(std::string_view content);

}  // namespace podium

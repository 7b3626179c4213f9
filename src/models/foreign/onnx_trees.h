// The operator TreeEnsembleRegressor of ai.onnx.ml 3 for one document, as ONNX Runtime computes it
// in single precision.
#pragma once

#include <span>
#include <vector>

#include "models/foreign/foreign_tree.h"
#include "models/importers/protobuf_reader.h"

namespace podium {

class OnnxTrees {
 public:
  explicit OnnxTrees(const ProtobufReader& node);  // a NodeProto
  std::vector<double> outputs(std::span<const float> features,
                              std::vector<double>& tree_values) const;

 private:
  std::vector<float> base_;
  std::vector<ForeignTree> trees_;
  std::vector<std::size_t> target_;  // of each tree
};

}  // namespace podium

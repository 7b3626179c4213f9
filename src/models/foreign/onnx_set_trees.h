// The operator TreeEnsemble of ai.onnx.ml 5 for one document, with the modes BRANCH_LEQ and
// BRANCH_MEMBER, as ONNX Runtime computes it in single precision.
#pragma once

#include <span>
#include <vector>

#include "models/importers/protobuf_reader.h"

namespace podium {

class OnnxSetTrees {
 public:
  explicit OnnxSetTrees(const ProtobufReader& node);  // a NodeProto
  std::vector<double> outputs(std::span<const float> features,
                              std::vector<double>& tree_values) const;

 private:
  struct Child {
    std::size_t at = 0;
    bool is_leaf = false;
  };
  struct Node {
    std::size_t feature = 0;
    float split = 0;
    bool has_set = false, missing_yes = false;
    Child yes = {}, no = {};
    std::vector<float> set = {};
  };
  std::size_t leaf_of(std::size_t root, std::span<const float> features) const;

  std::size_t targets_ = 0;
  std::vector<Node> nodes_;
  std::vector<std::size_t> roots_, target_;  // target_ and weight_: by leaf
  std::vector<float> weight_;
};

}  // namespace podium

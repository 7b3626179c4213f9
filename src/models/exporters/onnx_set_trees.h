// Trees that may split by sets of category values, as the operator TreeEnsemble of ai.onnx.ml 5,
// whose mode BRANCH_MEMBER asks whether a value is one of a set.
#pragma once

#include <string>

#include "models/exporters/onnx_graph.h"

namespace podium {

// Adds the forest's sums to the graph, base included, and returns their name.
std::string add_set_trees(OnnxGraph& graph, const std::string& input, const Forest& forest);

}  // namespace podium

#include "models/importers/onnx_file.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "models/importers/protobuf_reader.h"

namespace podium {
namespace {

[[noreturn]] void fail_onnx(const std::string& why) {
  throw Error(ErrorCode::data, why);
}

// Operators that leave the values of one column as they are.
constexpr std::string_view kHarmless[] = {"Identity", "Cast", "Reshape", "Flatten", "Squeeze"};

// Attributes of the operator: numbers as arrays of floats or, where doubles matter, as tensors.
class OnnxAttributeReader {
 public:
  explicit OnnxAttributeReader(const ProtobufReader& node) {
    for (const std::string_view bytes : node.all_bytes(5)) {
      ProtobufReader attribute(bytes);
      const std::string_view name = attribute.bytes(1);
      attributes_.emplace(name, std::move(attribute));
    }
  }

  bool has(std::string_view name) const { return attributes_.contains(name); }
  std::vector<std::int64_t> wholes(std::string_view name) const { return at(name).wholes(8); }
  std::vector<std::string_view> texts(std::string_view name) const { return at(name).all_bytes(9); }
  std::int64_t whole(std::string_view name, std::int64_t otherwise) const {
    return has(name) ? at(name).whole(3) : otherwise;
  }
  std::string_view text(std::string_view name, std::string_view otherwise) const {
    return has(name) ? at(name).bytes(4) : otherwise;
  }
  std::vector<double> reals(const std::string& name) const {
    if (const std::string tensor = name + "_as_tensor"; has(tensor))
      return tensor_values(ProtobufReader(at(tensor).bytes(5)), tensor);
    if (!has(name)) return {};
    const std::vector<float> values = at(name).reals(7);
    return {values.begin(), values.end()};
  }

 private:
  const ProtobufReader& at(std::string_view name) const {
    const auto found = attributes_.find(name);
    if (found == attributes_.end())
      fail_onnx(fmt::format("the tree ensemble has no attribute '{}'", name));
    return found->second;
  }

  template <class Real>
  static std::vector<double> unpacked(std::string_view bytes) {
    std::vector<double> out;
    for (std::size_t at = 0; at + sizeof(Real) <= bytes.size(); at += sizeof(Real)) {
      Real value;
      std::memcpy(&value, bytes.data() + at, sizeof(Real));
      out.push_back(static_cast<double>(value));
    }
    return out;
  }
  // TensorProto: data_type 2, float_data 4, raw_data 9, double_data 10; 1 is float, 11 double.
  static std::vector<double> tensor_values(const ProtobufReader& tensor, const std::string& name) {
    const std::int64_t type = tensor.whole(2);
    if (type != 1 && type != 11) fail_onnx(fmt::format("'{}' is not of floats or doubles", name));
    const std::string_view raw = tensor.bytes(9);
    if (type == 11) return unpacked<double>(raw.empty() ? tensor.bytes(10) : raw);
    return unpacked<float>(raw.empty() ? tensor.bytes(4) : raw);
  }

  std::map<std::string_view, ProtobufReader> attributes_;
};

template <class Values>
void require_entries(const Values& values, std::size_t size, std::string_view name) {
  if (values.size() != size)
    fail_onnx(fmt::format("'{}' has {} entries instead of {}", name, values.size(), size));
}

void refuse_other_outputs(const OnnxAttributeReader& attributes) {
  if (attributes.whole("n_targets", 1) != 1)
    fail_onnx("the tree ensemble has several outputs; Podium imports models with one");
  if (const std::string_view transform = attributes.text("post_transform", "NONE");
      transform != "NONE")
    fail_onnx(fmt::format("the post_transform {} cannot be imported", transform));
  for (const std::int64_t target : attributes.wholes("target_ids"))
    if (target != 0) fail_onnx("a leaf belongs to an output other than 0");
}

OnnxEnsemble::Aggregate aggregate_of(std::string_view name) {
  if (name == "SUM") return OnnxEnsemble::Aggregate::sum;
  if (name == "AVERAGE") return OnnxEnsemble::Aggregate::average;
  fail_onnx(fmt::format("the aggregate_function {} is neither SUM nor AVERAGE", name));
}

OnnxEnsemble read_ensemble(const ProtobufReader& node) {
  const OnnxAttributeReader attributes(node);
  refuse_other_outputs(attributes);
  OnnxEnsemble out;
  out.aggregate = aggregate_of(attributes.text("aggregate_function", "SUM"));
  out.tree = attributes.wholes("nodes_treeids");
  const std::size_t nodes = out.tree.size();
  const auto column = [&](std::string_view name, std::vector<std::int64_t>& values) {
    values = attributes.wholes(name);
    require_entries(values, nodes, name);
  };
  column("nodes_nodeids", out.node);
  column("nodes_featureids", out.feature);
  column("nodes_truenodeids", out.yes);
  column("nodes_falsenodeids", out.no);
  out.mode = attributes.texts("nodes_modes");
  require_entries(out.mode, nodes, "nodes_modes");
  out.value = attributes.reals("nodes_values");
  require_entries(out.value, nodes, "nodes_values");
  out.missing_yes.resize(nodes);
  constexpr std::string_view kMissing = "nodes_missing_value_tracks_true";
  if (attributes.has(kMissing)) {
    const std::vector<std::int64_t> missing = attributes.wholes(kMissing);
    if (!missing.empty()) require_entries(missing, nodes, kMissing);
    std::transform(missing.begin(), missing.end(), out.missing_yes.begin(),
                   [](std::int64_t tracks) { return tracks != 0; });
  }
  out.leaf_tree = attributes.wholes("target_treeids");
  out.leaf_node = attributes.wholes("target_nodeids");
  out.leaf_value = attributes.reals("target_weights");
  require_entries(out.leaf_node, out.leaf_tree.size(), "target_nodeids");
  require_entries(out.leaf_value, out.leaf_tree.size(), "target_weights");
  const std::vector<double> base = attributes.reals("base_values");
  if (base.size() > 1) fail_onnx("'base_values' has several numbers for one output");
  if (!base.empty()) out.base = base[0];
  return out;
}

// The columns of the first input that is no constant.
std::uint64_t input_columns(const ProtobufReader& graph) {
  const auto inputs = graph.all_bytes(11);
  if (inputs.empty()) return 0;
  const ProtobufReader type{ProtobufReader(inputs[0]).bytes(2)};
  const ProtobufReader shape{ProtobufReader(type.bytes(1)).bytes(2)};
  const auto dimensions = shape.all_bytes(1);
  if (dimensions.size() != 2) return 0;
  return static_cast<std::uint64_t>(
      std::max<std::int64_t>(0, ProtobufReader(dimensions[1]).whole(1)));
}

std::vector<std::string> stored_names(const ProtobufReader& model) {
  std::vector<std::string> names;
  for (const std::string_view bytes : model.all_bytes(14)) {
    const ProtobufReader property(bytes);
    if (property.bytes(1) != "features") continue;
    for (std::string_view rest = property.bytes(2); !rest.empty();) {
      const std::size_t end = rest.find('\n');
      names.emplace_back(rest.substr(0, end));
      rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
  }
  return names;
}

}  // namespace

OnnxFile parse_onnx(std::string_view content) {
  const ProtobufReader model(content);
  const ProtobufReader graph(model.bytes(7));
  OnnxFile out;
  std::size_t ensembles = 0;
  for (const std::string_view bytes : graph.all_bytes(1)) {
    const ProtobufReader node(bytes);
    const std::string_view operation = node.bytes(4);
    if (operation == "TreeEnsembleRegressor") {
      if (++ensembles == 1) out.ensemble = read_ensemble(node);
    } else if (std::find(std::begin(kHarmless), std::end(kHarmless), operation) ==
               std::end(kHarmless)) {
      fail_onnx(fmt::format(
          "the graph has the operator {}; only a TreeEnsembleRegressor is imported, with casts and "
          "changes of shape around it",
          operation));
    }
  }
  if (ensembles != 1)
    fail_onnx(fmt::format("the graph has {} tree ensembles instead of one", ensembles));
  out.inputs = input_columns(graph);
  out.feature_names = stored_names(model);
  return out;
}

}  // namespace podium

#include "models/exporters/onnx_graph.h"

#include <cstring>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace podium {
namespace {

// AttributeProto.type
constexpr std::int64_t kWhole = 2, kText = 3, kTensor = 4, kReals = 6, kWholes = 7, kTexts = 8;

ProtobufWriter attribute(std::string_view name, std::int64_t type) {
  ProtobufWriter out;
  out.bytes(1, name).whole(20, type);
  return out;
}

template <class T>
std::string little_endian(std::span<const T> values) {
  static_assert(std::endian::native == std::endian::little);
  std::string bytes(values.size_bytes(), '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

ProtobufWriter value_info(std::string_view name, std::int64_t columns) {
  ProtobufWriter rows, width, shape, tensor, type, info;
  rows.bytes(2, "documents");
  width.whole(1, columns);
  shape.message(1, rows).message(1, width);
  tensor.whole(1, static_cast<std::int64_t>(OnnxType::real32)).message(2, shape);
  type.message(1, tensor);
  info.bytes(1, name).message(2, type);
  return info;
}

// The values of each category by code.
std::string values_json(const PortableModel& model) {
  nlohmann::ordered_json out = nlohmann::ordered_json::object();
  for (const auto& category : model.schema.categories()) {
    auto list = nlohmann::ordered_json::array();
    for (std::size_t v = 0; v < category.values.size(); ++v)
      list.push_back(std::string(category.values[v]));
    out[model.features[category.feature]] = std::move(list);
  }
  return out.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

ProtobufWriter operator_set(std::string_view domain, std::int64_t version) {
  ProtobufWriter out;
  out.bytes(1, domain).whole(2, version);
  return out;
}

}  // namespace

OnnxAttributes& OnnxAttributes::whole(std::string_view name, std::int64_t value) {
  all_.push_back(attribute(name, kWhole).whole(3, value));
  return *this;
}
OnnxAttributes& OnnxAttributes::text(std::string_view name, std::string_view value) {
  all_.push_back(attribute(name, kText).bytes(4, value));
  return *this;
}
OnnxAttributes& OnnxAttributes::wholes(std::string_view name,
                                       std::span<const std::int64_t> values) {
  all_.push_back(attribute(name, kWholes).wholes(8, values));
  return *this;
}
OnnxAttributes& OnnxAttributes::reals(std::string_view name, std::span<const float> values) {
  all_.push_back(attribute(name, kReals).reals(7, values));
  return *this;
}
OnnxAttributes& OnnxAttributes::texts(std::string_view name,
                                      std::span<const std::string_view> values) {
  ProtobufWriter out = attribute(name, kTexts);
  for (const std::string_view value : values) out.bytes(9, value);
  all_.push_back(std::move(out));
  return *this;
}

OnnxAttributes& OnnxAttributes::tensor(std::string_view name, std::int64_t type, std::size_t size,
                                       std::string_view bytes) {
  const auto length = static_cast<std::int64_t>(size);
  ProtobufWriter out;
  out.wholes(1, std::span(&length, 1)).whole(2, type).bytes(9, bytes);
  all_.push_back(attribute(name, kTensor).message(5, out));
  return *this;
}
OnnxAttributes& OnnxAttributes::tensor(std::string_view name, std::span<const float> values) {
  constexpr std::int64_t kFloat = 1;  // TensorProto.DataType
  return tensor(name, kFloat, values.size(), little_endian(values));
}
OnnxAttributes& OnnxAttributes::tensor(std::string_view name,
                                       std::span<const std::uint8_t> values) {
  constexpr std::int64_t kByte = 2;
  return tensor(name, kByte, values.size(), little_endian(values));
}

std::string OnnxGraph::fresh_name() {
  return fmt::format("t{}", names_++);
}

std::string OnnxGraph::node(std::string_view operation, const std::vector<std::string>& inputs,
                            const OnnxAttributes& attributes, std::string_view domain) {
  std::string name = fresh_name();
  ProtobufWriter out;
  for (const std::string& input : inputs) out.bytes(1, input);
  out.bytes(2, name).bytes(3, "n" + name).bytes(4, operation);
  for (const ProtobufWriter& attribute : attributes.all()) out.message(5, attribute);
  if (!domain.empty()) out.bytes(7, domain);
  nodes_.message(1, out);
  return name;
}

std::string OnnxGraph::tensor(const std::vector<std::int64_t>& shape, OnnxType type,
                              std::string_view bytes) {
  std::string name = fresh_name();
  ProtobufWriter out;
  out.wholes(1, shape).whole(2, static_cast<std::int64_t>(type)).bytes(8, name).bytes(9, bytes);
  constants_.message(5, out);
  return name;
}

std::string OnnxGraph::constant(std::vector<std::int64_t> shape, std::span<const float> values) {
  return tensor(shape, OnnxType::real32, little_endian(values));
}
std::string OnnxGraph::constant(std::vector<std::int64_t> shape, std::span<const double> values) {
  return tensor(shape, OnnxType::real64, little_endian(values));
}
std::string OnnxGraph::constant(std::vector<std::int64_t> shape,
                                std::span<const std::int64_t> values) {
  return tensor(shape, OnnxType::whole64, little_endian(values));
}

std::string OnnxGraph::cast(const std::string& input, OnnxType type) {
  return node("Cast", {input}, OnnxAttributes().whole("to", static_cast<std::int64_t>(type)));
}

std::string OnnxGraph::without_missing(const std::string& input) {
  constexpr float kZero[] = {0};
  const std::string zero = constant({}, std::span(kZero));
  return node("Where", {node("IsNaN", {input}), zero, input});
}

std::string OnnxGraph::finish(const std::string& score, const ExportTask& task) {
  constexpr std::int64_t kOperators = 15;
  const bool sets = !task.model.categories.empty();  // TreeEnsemble
  const std::int64_t ir_version = sets ? 10 : 8, ml_operators = sets ? 5 : 3;
  ProtobufWriter last;
  last.bytes(1, score).bytes(2, kOutput).bytes(3, "output").bytes(4, "Identity");
  nodes_.message(1, last);
  const auto width = static_cast<std::int64_t>(task.features().size());
  ProtobufWriter graph, model, names, values;
  std::string listed;
  for (const std::string& name : task.features()) listed += (listed.empty() ? "" : "\n") + name;
  names.bytes(1, "features").bytes(2, listed);
  graph.bytes(2, task.options.name)
      .message(11, value_info(kInput, width))
      .message(12, value_info(kOutput, 1));
  graph.append(nodes_).append(constants_);
  model.whole(1, ir_version)
      .bytes(2, "podium")
      .message(7, graph)
      .message(8, operator_set("", kOperators))
      .message(8, operator_set("ai.onnx.ml", ml_operators))
      .message(14, names);
  if (task.model.categories.numbers == ExportedCategories::Numbers::codes && sets) {
    values.bytes(1, "categories").bytes(2, values_json(task.model));
    model.message(14, values);
  }
  return model.text();
}

}  // namespace podium

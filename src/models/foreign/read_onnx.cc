// An interpreter of the ONNX graphs that ranking models need, one document at a time: tensors are
// vectors of doubles, rounded to single precision if their type is float.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "core/math_functions.h"
#include "models/foreign/foreign_model.h"
#include "models/foreign/foreign_tree.h"
#include "models/foreign/onnx_set_trees.h"
#include "models/foreign/onnx_trees.h"
#include "models/importers/protobuf_reader.h"

namespace podium {
namespace {

// TensorProto.DataType
constexpr std::int64_t kFloat = 1, kBool = 9, kDouble = 11;

struct Tensor {
  std::int64_t type = kFloat;
  std::vector<double> values;
  std::size_t columns = 1;  // of a matrix of constants
};

Tensor rounded(Tensor tensor) {
  if (tensor.type == kFloat)
    for (double& value : tensor.values) value = static_cast<double>(static_cast<float>(value));
  return tensor;
}

template <class T>
std::vector<double> unpack(std::string_view bytes) {
  std::vector<double> out;
  for (std::size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T)) {
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof(T));
    out.push_back(static_cast<double>(value));
  }
  return out;
}

Tensor read_tensor(const ProtobufReader& tensor) {
  Tensor out;
  out.type = tensor.whole(2);
  const std::string_view raw = tensor.bytes(9);
  out.values = out.type == kFloat    ? unpack<float>(raw)
               : out.type == kDouble ? unpack<double>(raw)
                                     : unpack<std::int64_t>(raw);
  std::int64_t size = 1;
  for (const std::int64_t dimension : tensor.wholes(1)) {
    size *= dimension;
    out.columns = static_cast<std::size_t>(dimension);
  }
  if (static_cast<std::size_t>(size) != out.values.size() || out.columns == 0)
    fail_foreign("a constant does not have the size of its shape");
  return out;
}

struct Operation {
  std::string name;
  std::vector<std::string> inputs;
  std::string output;
  std::int64_t to = 0;                              // Cast
  std::shared_ptr<const OnnxTrees> trees{};         // TreeEnsembleRegressor
  std::shared_ptr<const OnnxSetTrees> set_trees{};  // TreeEnsemble
};

template <class Function>
Tensor each(const Tensor& x, Function&& f) {
  Tensor out = x;
  for (double& value : out.values) value = f(value);
  return rounded(std::move(out));
}

template <class Function>
Tensor both(const Tensor& a, const Tensor& b, Function&& f) {
  if (a.type != b.type) fail_foreign("an operation mixes types");
  const std::size_t size = std::max(a.values.size(), b.values.size());
  if ((a.values.size() != size && a.values.size() != 1) ||
      (b.values.size() != size && b.values.size() != 1))
    fail_foreign("an operation mixes sizes");
  Tensor out{a.type, std::vector<double>(size), 1};
  for (std::size_t i = 0; i < size; ++i)
    out.values[i] =
        f(a.values[a.values.size() == 1 ? 0 : i], b.values[b.values.size() == 1 ? 0 : i]);
  return rounded(std::move(out));
}

// A row times a constant matrix, added in the order of the inputs.
Tensor product(const Tensor& row, const Tensor& matrix) {
  if (row.type != matrix.type || row.values.size() * matrix.columns != matrix.values.size())
    fail_foreign("a product does not fit");
  Tensor out{row.type, std::vector<double>(matrix.columns), 1};
  for (std::size_t i = 0; i < row.values.size(); ++i)
    for (std::size_t o = 0; o < matrix.columns; ++o) {
      const double term = row.values[i] * matrix.values[i * matrix.columns + o];
      out.values[o] += row.type == kFloat ? static_cast<double>(static_cast<float>(term)) : term;
      if (row.type == kFloat)
        out.values[o] = static_cast<double>(static_cast<float>(out.values[o]));
    }
  return out;
}

Tensor softmax(const Tensor& x) {
  const double top = *std::max_element(x.values.begin(), x.values.end());
  Tensor out = each(x, [top](double v) { return math::exp(v - top); });
  const double sum = std::accumulate(out.values.begin(), out.values.end(), 0.0);
  return each(out, [sum](double v) { return v / sum; });
}

class OnnxModel final : public ForeignModel {
 public:
  OnnxModel(std::map<std::string, Tensor> constants, std::vector<Operation> operations)
      : constants_(std::move(constants)), operations_(std::move(operations)) {}

  double score(std::span<const float> features, std::vector<double>& tree_values) const override {
    tree_values.clear();
    std::map<std::string, Tensor> values;
    values["features"] = {kFloat, {features.begin(), features.end()}, features.size()};
    for (const Operation& operation : operations_)
      values[operation.output] = apply(operation, values, features, tree_values);
    return value_at("score", values).values.at(0);
  }
  Precision precision() const noexcept override { return Precision::single; }

 private:
  const Tensor& value_at(const std::string& name,
                         const std::map<std::string, Tensor>& values) const {
    if (const auto found = values.find(name); found != values.end()) return found->second;
    if (const auto found = constants_.find(name); found != constants_.end()) return found->second;
    fail_foreign("it uses the tensor '" + name + "' before it is there");
  }

  Tensor apply(const Operation& operation, const std::map<std::string, Tensor>& values,
               std::span<const float> features, std::vector<double>& tree_values) const {
    const auto in = [&](std::size_t i) -> const Tensor& {
      if (i >= operation.inputs.size()) fail_foreign("an operation lacks an input");
      return value_at(operation.inputs[i], values);
    };
    const std::string& name = operation.name;
    if (operation.set_trees)
      return {kFloat, operation.set_trees->outputs(features, tree_values), 1};
    if (operation.trees) return {kFloat, operation.trees->outputs(features, tree_values), 1};
    if (name == "Identity") return in(0);
    if (name == "Cast") return rounded({operation.to, in(0).values, in(0).columns});
    if (name == "Add") return both(in(0), in(1), [](double a, double b) { return a + b; });
    if (name == "Sub") return both(in(0), in(1), [](double a, double b) { return a - b; });
    if (name == "Mul") return both(in(0), in(1), [](double a, double b) { return a * b; });
    if (name == "MatMul") return product(in(0), in(1));
    if (name == "Tanh") return each(in(0), [](double x) { return math::tanh(x); });
    if (name == "Relu") return each(in(0), [](double x) { return x < 0 ? 0 : x; });
    if (name == "Sigmoid") return each(in(0), [](double x) { return 1 / (1 + math::exp(-x)); });
    if (name == "Abs") return each(in(0), [](double x) { return std::abs(x); });
    if (name == "Log") return each(in(0), [](double x) { return math::log(x); });
    if (name == "Sign") return each(in(0), [](double x) { return (x > 0) - (x < 0) + 0.0; });
    if (name == "Softmax") return softmax(in(0));
    if (name == "IsNaN") {
      Tensor out = each(in(0), [](double x) { return std::isnan(x) ? 1.0 : 0.0; });
      out.type = kBool;
      return out;
    }
    if (name == "Where") {
      Tensor out = in(2);
      for (std::size_t i = 0; i < out.values.size(); ++i)
        if (in(0).values.at(i) != 0) out.values[i] = in(1).values.at(0);
      return out;
    }
    if (name == "Gather")
      return {in(0).type, {in(0).values.at(static_cast<std::size_t>(in(1).values.at(0)))}, 1};
    fail_foreign("it has the unknown operator " + name);
  }

  std::map<std::string, Tensor> constants_;
  std::vector<Operation> operations_;
};

Operation read_operation(const ProtobufReader& node) {
  Operation out;
  out.name = std::string(node.bytes(4));
  for (const std::string_view input : node.all_bytes(1)) out.inputs.emplace_back(input);
  out.output = std::string(node.bytes(2));
  if (out.name == "TreeEnsemble") out.set_trees = std::make_shared<const OnnxSetTrees>(node);
  if (out.name == "TreeEnsembleRegressor") out.trees = std::make_shared<const OnnxTrees>(node);
  if (out.name == "Cast")
    for (const std::string_view attribute : node.all_bytes(5))
      out.to = ProtobufReader(attribute).whole(3);
  return out;
}

}  // namespace

std::unique_ptr<const ForeignModel> read_onnx(std::string_view content,
                                              std::span<const std::string>) {
  const ProtobufReader model(content);
  const ProtobufReader graph(model.bytes(7));
  std::map<std::string, Tensor> constants;
  for (const std::string_view bytes : graph.all_bytes(5)) {
    const ProtobufReader tensor(bytes);
    constants.emplace(tensor.bytes(8), read_tensor(tensor));
  }
  std::vector<Operation> operations;
  for (const std::string_view bytes : graph.all_bytes(1))
    operations.push_back(read_operation(ProtobufReader(bytes)));
  return std::make_unique<OnnxModel>(std::move(constants), std::move(operations));
}

}  // namespace podium

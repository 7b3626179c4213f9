#include "models/file/serialize_mlp.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "models/file/json_text.h"

namespace podium {
namespace {

using Json = nlohmann::ordered_json;
using Activation = Mlp::Activation;

bool all_finite(std::span<const float> numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](float x) { return std::isfinite(x); });
}

// What is wrong with the perceptron, or "".
std::string fault(const Mlp& mlp, std::size_t features) {
  if (mlp.mean.size() != features || mlp.scale.size() != features)
    return fmt::format("'mean' and 'scale' have {} and {} numbers for {} features", mlp.mean.size(),
                       mlp.scale.size(), features);
  if (!all_finite(mlp.mean)) return "'mean' is not finite";
  for (const float scale : mlp.scale)
    if (scale != 0 && !(scale > 0 && std::isfinite(scale) && std::isfinite(1 / scale)))
      return "'scale' is neither 0 nor a number above 0 to divide by";
  if (mlp.layers.empty()) return "'layers' is empty";
  std::size_t inputs = features;
  for (std::size_t l = 0; l < mlp.layers.size(); ++l) {
    const Mlp::Layer& layer = mlp.layers[l];
    const std::size_t outputs = layer.bias.size();
    if (outputs == 0 || layer.weights.size() != outputs)
      return fmt::format("layer {} has {} rows of weights for {} biases", l, layer.weights.size(),
                         outputs);
    for (const auto& row : layer.weights) {
      if (row.size() != inputs)
        return fmt::format("layer {} has a row of {} weights for {} inputs", l, row.size(), inputs);
      if (!all_finite(row)) return fmt::format("layer {} has a weight that is not finite", l);
    }
    if (!all_finite(layer.bias)) return fmt::format("layer {} has a bias that is not finite", l);
    inputs = outputs;
  }
  if (inputs != 1) return fmt::format("the last layer has {} outputs, not one", inputs);
  return "";
}

Json decimals(std::span<const float> numbers) {
  Json json = Json::array();
  for (const float x : numbers) json.push_back(decimal(x));
  return json;
}

// A number beyond single precision becomes infinite, which `fault` reports.
std::vector<float> floats(std::span<const double> numbers) {
  std::vector<float> out(numbers.size());
  std::transform(numbers.begin(), numbers.end(), out.begin(), [](double x) {
    constexpr double kLargest = std::numeric_limits<float>::max();
    return std::abs(x) <= kLargest ? static_cast<float>(x) : std::numeric_limits<float>::infinity();
  });
  return out;
}

std::vector<std::vector<float>> read_rows(const ModelReader& layer) {
  std::vector<std::vector<float>> rows;
  for (const auto& row : layer.number_rows("weights")) rows.push_back(floats(row));
  return rows;
}

}  // namespace

Json mlp_json(const Mlp& mlp) {
  const std::string wrong = fault(mlp, mlp.mean.size());
  if (!wrong.empty()) throw Error(ErrorCode::training, "the perceptron cannot be saved: " + wrong);
  Json layers = Json::array();
  for (const Mlp::Layer& layer : mlp.layers) {
    Json weights = Json::array();
    for (const auto& row : layer.weights) weights.push_back(decimals(row));
    layers.push_back({{"weights", std::move(weights)}, {"bias", decimals(layer.bias)}});
  }
  return {{"type", "mlp"},
          {"activation", mlp.activation == Activation::tanh ? "tanh" : "relu"},
          {"mean", decimals(mlp.mean)},
          {"scale", decimals(mlp.scale)},
          {"layers", std::move(layers)}};
}

Mlp read_mlp(const ModelReader& model, std::size_t features) {
  Mlp mlp;
  const std::string activation = model.text("activation");
  if (activation != "tanh" && activation != "relu")
    model.fail_at("activation", "'" + activation + "' is unknown to this version");
  mlp.activation = activation == "tanh" ? Activation::tanh : Activation::relu;
  mlp.mean = floats(model.numbers("mean"));
  mlp.scale = floats(model.numbers("scale"));
  for (const ModelReader& layer : model.objects("layers"))
    mlp.layers.push_back({read_rows(layer), floats(layer.numbers("bias"))});
  const std::string wrong = fault(mlp, features);
  if (!wrong.empty()) model.fail("the perceptron:", wrong);
  return mlp;
}

}  // namespace podium

#include "models/mlp/mlp_network.h"

#include <algorithm>
#include <cmath>

#include "models/linear/dense_kernels.h"
#include "models/mlp/mlp_kernels.h"
#include "models/row_values.h"

namespace podium {
namespace {

// Documents whose gradients are summed in single precision before they are added to the double
// sums.
constexpr std::size_t kGradientBlock = 128;

std::size_t padded(std::size_t width) {
  return (width + kMlpLanes - 1) / kMlpLanes * kMlpLanes;
}

std::vector<std::size_t> hidden_widths(const Mlp& model) {
  std::vector<std::size_t> widths;
  for (std::size_t l = 0; l + 1 < model.layers.size(); ++l)
    widths.push_back(model.layers[l].bias.size());
  return widths;
}

}  // namespace

MlpNetwork::MlpNetwork(const Standardization& inputs, std::span<const std::size_t> hidden,
                       Mlp::Activation activation)
    : activation_(activation), mean_(inputs.mean), deviation_(inputs.deviation) {
  for (const float deviation : deviation_) factor_.push_back(deviation > 0 ? 1 / deviation : 0);
  lay_out(mean_.size(), hidden);
}

MlpNetwork::MlpNetwork(const Mlp& model)
    : MlpNetwork({model.mean, model.scale}, hidden_widths(model), model.activation) {
  set(parameters_of(model));
}

void MlpNetwork::lay_out(std::size_t inputs, std::span<const std::size_t> hidden) {
  std::size_t stride = inputs;
  const auto add = [&](std::size_t outputs, std::size_t width) {
    layers_.push_back({inputs, outputs, stride, width, size_, size_ + stride * width});
    size_ = layers_.back().bias + width;
    inputs = outputs;
    stride = width;
  };
  for (const std::size_t outputs : hidden) add(outputs, padded(outputs));
  add(1, 1);
  weights_.resize(size_);
  transposed_.resize(hidden.size());
}

void MlpNetwork::set(std::span<const double> parameters) {
  std::transform(parameters.begin(), parameters.end(), weights_.begin(),
                 [](double w) { return static_cast<float>(w); });
  for (std::size_t l = 1; l + 1 < layers_.size(); ++l) {
    const Layer& layer = layers_[l];
    transposed_[l].resize(layer.width * layer.input_stride);
    for (std::size_t i = 0; i < layer.input_stride; ++i)
      for (std::size_t o = 0; o < layer.width; ++o)
        transposed_[l][o * layer.input_stride + i] = weights_[weight(layer, i, o)];
  }
  const Layer& last = layers_.back();
  score_weights_.assign(weights_.begin() + static_cast<std::ptrdiff_t>(last.weights),
                        weights_.begin() + static_cast<std::ptrdiff_t>(last.bias));
  score_bias_ = weights_[last.bias];
}

std::vector<double> MlpNetwork::parameters_of(const Mlp& model) const {
  std::vector<double> out(size_);
  for (std::size_t l = 0; l < layers_.size(); ++l)
    for (std::size_t o = 0; o < layers_[l].outputs; ++o) {
      out[layers_[l].bias + o] = model.layers[l].bias[o];
      for (std::size_t i = 0; i < layers_[l].inputs; ++i)
        out[weight(layers_[l], i, o)] = model.layers[l].weights[o][i];
    }
  return out;
}

Mlp MlpNetwork::model(std::span<const double> parameters) const {
  Mlp out{activation_, mean_, deviation_, {}};
  for (const Layer& layer : layers_) {
    Mlp::Layer plain{std::vector(layer.outputs, std::vector<float>(layer.inputs)),
                     std::vector<float>(layer.outputs)};
    for (std::size_t o = 0; o < layer.outputs; ++o) {
      plain.bias[o] = static_cast<float>(parameters[layer.bias + o]);
      for (std::size_t i = 0; i < layer.inputs; ++i)
        plain.weights[o][i] = static_cast<float>(parameters[weight(layer, i, o)]);
    }
    out.layers.push_back(std::move(plain));
  }
  return out;
}

void MlpNetwork::forward(const Rows& rows, std::span<double> scores, Pass& pass) const {
  const std::size_t documents = rows.documents(), features = mean_.size();
  pass.documents = documents;
  pass.values.resize(layers_.size());
  pass.values[0].resize(documents * features);
  RowValues values(rows);
  for (std::size_t i = 0; i < documents; ++i)
    standardize(values(i), mean_.data(), factor_.data(), pass.values[0].data() + i * features,
                features);
  for (std::size_t l = 0; l + 1 < layers_.size(); ++l) {
    const Layer& layer = layers_[l];
    std::vector<float>& out = pass.values[l + 1];
    out.resize(documents * layer.width);
    for (std::size_t i = 0; i < documents; ++i)
      std::copy_n(weights_.data() + layer.bias, layer.width, out.data() + i * layer.width);
    multiply_add({pass.values[l].data(), layer.input_stride, 1}, weights_.data() + layer.weights,
                 out.data(), documents, layer.input_stride, layer.width);
    if (activation_ == Mlp::Activation::tanh)
      apply_tanh(out.data(), out.size());
    else
      for (float& z : out) z = z < 0 ? 0 : z;  // NaN stays
  }
  const std::size_t stride = layers_.back().input_stride;
  dense_products(pass.values.back().data(), documents, score_weights_.data(), scores.data(),
                 stride);
  for (std::size_t i = 0; i < documents; ++i) scores[i] += score_bias_;
}

void MlpNetwork::backward(std::span<const double> slope, Pass& pass,
                          std::span<double> gradient) const {
  const Layer& last = layers_.back();
  add_rows(pass.values.back().data(), pass.documents, slope.data(), gradient.data() + last.weights,
           last.input_stride);
  for (const double s : slope) gradient[last.bias] += s;
  if (layers_.size() == 1) return;
  for (std::size_t begin = 0; begin < pass.documents; begin += kGradientBlock)
    backward_block(begin, std::min(pass.documents, begin + kGradientBlock), slope, pass, gradient);
}

// Backward pass through the hidden layers, for documents begin … end − 1.
void MlpNetwork::backward_block(std::size_t begin, std::size_t end, std::span<const double> slope,
                                Pass& pass, std::span<double> gradient) const {
  const std::size_t count = end - begin;
  const std::size_t top = layers_.back().input_stride;
  pass.slope.resize(count * top);
  for (std::size_t i = 0; i < count; ++i) {
    const auto s = static_cast<float>(slope[begin + i]);
    for (std::size_t o = 0; o < top; ++o)
      pass.slope[i * top + o] = s * static_cast<float>(score_weights_[o]);
  }
  for (std::size_t l = layers_.size() - 1; l-- > 0;) {
    const Layer& layer = layers_[l];
    const float* const out = pass.values[l + 1].data() + begin * layer.width;
    if (activation_ == Mlp::Activation::tanh)
      for (std::size_t i = 0; i < pass.slope.size(); ++i) pass.slope[i] *= 1 - out[i] * out[i];
    else
      for (std::size_t i = 0; i < pass.slope.size(); ++i)
        pass.slope[i] = out[i] > 0 ? pass.slope[i] : 0;
    // Weights and, after them, biases.
    const std::size_t weights = layer.input_stride * layer.width;
    pass.gradient.assign(weights + layer.width, 0.0F);
    multiply_add({pass.values[l].data() + begin * layer.input_stride, 1, layer.input_stride},
                 pass.slope.data(), pass.gradient.data(), layer.input_stride, count, layer.width);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t o = 0; o < layer.width; ++o)
        pass.gradient[weights + o] += pass.slope[i * layer.width + o];
    for (std::size_t i = 0; i < pass.gradient.size(); ++i)
      gradient[layer.weights + i] += static_cast<double>(pass.gradient[i]);
    if (l == 0) break;
    pass.next_slope.assign(count * layer.input_stride, 0.0F);
    multiply_add({pass.slope.data(), layer.width, 1}, transposed_[l].data(), pass.next_slope.data(),
                 count, layer.width, layer.input_stride);
    std::swap(pass.slope, pass.next_slope);
  }
}

}  // namespace podium

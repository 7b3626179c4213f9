// A multi-layer perceptron in the layout of the kernels, with forward and backward passes. Its
// parameters are one vector of doubles: for each hidden layer the weights, input by input, with the
// number of outputs padded to a multiple of kMlpLanes, then as many biases; last the score's
// weights and its bias. The padding is 0 and stays 0, because its gradient is 0.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "models/mlp/mlp.h"
#include "podium/dataset.h"
#include "podium/model.h"

namespace podium {

class MlpNetwork {
 public:
  // `hidden`: the widths of the hidden layers.
  MlpNetwork(const Standardization& inputs, std::span<const std::size_t> hidden,
             Mlp::Activation activation);
  explicit MlpNetwork(const Mlp& model);

  struct Layer {
    std::size_t inputs, outputs, input_stride, width;  // width: outputs, padded
    std::size_t weights, bias;                         // where they begin in the parameters
  };
  std::span<const Layer> layers() const noexcept { return layers_; }  // the last is the score's
  std::size_t parameters() const noexcept { return size_; }
  // The index of the weight from a layer's input i to its output o.
  static std::size_t weight(const Layer& layer, std::size_t i, std::size_t o) {
    return layer.weights + i * layer.width + o;
  }

  void set(std::span<const double> parameters);
  std::vector<double> parameters_of(const Mlp& model) const;
  Mlp model(std::span<const double> parameters) const;

  // What a forward pass over one list of documents stores for the backward pass.
  struct Pass {
    std::size_t documents = 0;
    std::vector<std::vector<float>> values;  // of the inputs, then of each hidden layer
    std::vector<float> slope, next_slope, gradient;
  };
  void forward(const Rows& rows, std::span<double> scores, Pass& pass) const;
  // Adds Σ slope · ∂score/∂parameters to `gradient`.
  void backward(std::span<const double> slope, Pass& pass, std::span<double> gradient) const;

 private:
  void lay_out(std::size_t inputs, std::span<const std::size_t> hidden);
  void backward_block(std::size_t begin, std::size_t end, std::span<const double> slope, Pass& pass,
                      std::span<double> gradient) const;

  Mlp::Activation activation_;
  std::vector<float> mean_, deviation_, factor_;
  std::vector<Layer> layers_;
  std::size_t size_ = 0;
  std::vector<float> weights_;                  // the parameters in single precision
  std::vector<std::vector<float>> transposed_;  // hidden layers except the first: output by output
  std::vector<double> score_weights_;
  double score_bias_ = 0;
};

}  // namespace podium

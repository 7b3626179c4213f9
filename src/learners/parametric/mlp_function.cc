#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "learners/parametric/scoring_function.h"
#include "models/mlp/mlp_network.h"

namespace podium {
namespace {

constexpr std::uint64_t kFirstWeights = 0x77656967687473;  // a separate random stream

class MlpFunction final : public ScoringFunction {
 public:
  MlpFunction(MlpNetwork network, Mlp::Activation activation, std::vector<double> start)
      : network_(std::move(network)), activation_(activation), start_(std::move(start)) {}

  std::size_t parameters() const override { return network_.parameters(); }

  // Uniform, with the variance that preserves the scale of signals: 2 / (inputs + outputs) for tanh
  // [Glorot10], 2 / inputs for ReLU [He15]. Biases are 0.
  std::vector<double> start(std::uint64_t seed) const override {
    if (!start_.empty()) return start_;
    std::vector<double> out(parameters());
    Random random(seed, kFirstWeights);
    for (const MlpNetwork::Layer& layer : network_.layers()) {
      const auto fan = static_cast<double>(
          activation_ == Mlp::Activation::relu ? layer.inputs : layer.inputs + layer.outputs);
      const double limit = std::sqrt(6 / fan);
      for (std::size_t o = 0; o < layer.outputs; ++o)
        for (std::size_t i = 0; i < layer.inputs; ++i)
          out[MlpNetwork::weight(layer, i, o)] = limit * (2 * random.uniform() - 1);
    }
    return out;
  }
  std::vector<double> decay_mask() const override {
    std::vector<double> mask(parameters(), 1.0);
    for (const MlpNetwork::Layer& layer : network_.layers())
      for (std::size_t o = 0; o < layer.width; ++o) mask[layer.bias + o] = 0;
    return mask;
  }

  void set(std::span<const double> parameters) override { network_.set(parameters); }
  std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<Kept>(); }
  void forward(const Rows& rows, std::span<double> scores, Scratch& scratch) const override {
    network_.forward(rows, scores, static_cast<Kept&>(scratch).pass);
  }
  void backward(const Rows&, std::span<const double> slope, Scratch& scratch,
                OrderFreeSums& sums) const override {
    Kept& kept = static_cast<Kept&>(scratch);
    kept.gradient.resize(parameters());
    std::fill(kept.gradient.begin(), kept.gradient.end(), 0.0);
    network_.backward(slope, kept.pass, kept.gradient);
    sums.add(kept.gradient);
  }

  Model model(std::span<const double> parameters) const override {
    return network_.model(parameters);
  }

 private:
  struct Kept final : Scratch {
    MlpNetwork::Pass pass;
    std::vector<double> gradient;
  };

  MlpNetwork network_;
  Mlp::Activation activation_;
  std::vector<double> start_;
};

}  // namespace

std::unique_ptr<ScoringFunction> mlp_function(const Dataset& train,
                                              std::span<const std::size_t> hidden,
                                              Mlp::Activation activation, Context& context) {
  return std::make_unique<MlpFunction>(
      MlpNetwork(fit_standardization(train, context), hidden, activation), activation,
      std::vector<double>());
}

std::unique_ptr<ScoringFunction> mlp_function(const Mlp& start) {
  MlpNetwork network(start);
  std::vector<double> parameters = network.parameters_of(start);
  return std::make_unique<MlpFunction>(std::move(network), start.activation, std::move(parameters));
}

}  // namespace podium

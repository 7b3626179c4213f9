// Saved models of every kind for tests of exports and explanations.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "models/forest_support.h"
#include "podium/model.h"

namespace podium::testing {

inline SavedModel saved_model(Model model, std::vector<std::string> names = {}) {
  SavedModel saved;
  saved.learner = "test";
  for (std::size_t f = names.size(); f < feature_count(model); ++f)
    names.push_back(std::to_string(f + 1));
  saved.features = std::move(names);
  saved.model = std::move(model);
  return saved;
}

inline Linear random_linear(std::size_t features, Random& random) {
  Linear linear;
  for (std::size_t f = 0; f < features; ++f) linear.weights.push_back(random.uniform() - 0.5);
  linear.bias = random.uniform();
  return linear;
}

inline Mlp random_mlp(std::vector<std::size_t> widths, Mlp::Activation activation, Random& random) {
  const auto number = [&] { return static_cast<float>(2 * random.uniform() - 1); };
  Mlp mlp;
  mlp.activation = activation;
  for (std::size_t f = 0; f < widths[0]; ++f) {
    mlp.mean.push_back(number());
    mlp.scale.push_back(f == 1 ? 0.0F : 0.5F + number() / 4);
  }
  widths.push_back(1);
  for (std::size_t l = 1; l < widths.size(); ++l) {
    Mlp::Layer layer;
    for (std::size_t o = 0; o < widths[l]; ++o) {
      layer.bias.push_back(number());
      std::vector<float>& row = layer.weights.emplace_back();
      for (std::size_t i = 0; i < widths[l - 1]; ++i) row.push_back(number());
    }
    mlp.layers.push_back(std::move(layer));
  }
  return mlp;
}

enum class Gaps { none, some };  // missing values

// Without infinities, which readers of data refuse.
inline Dataset finite_data(std::size_t documents, std::size_t features, Gaps gaps, Random& random) {
  std::vector<float> values(documents * features);
  for (float& x : values) {
    do x = random_value(random);
    while (std::isinf(x) || (gaps == Gaps::none && std::isnan(x)));
    if (random.below(3) == 0) x = static_cast<float>(3 * random.uniform() - 1.5);
  }
  return make_dataset({documents / 2, documents - documents / 2}, features, std::move(values),
                      std::vector<float>(documents));
}

// LightGBM treats values close to 0 as 0: models and data without any.
inline float without_tiny(float x) {
  return std::abs(x) <= 1e-35F ? x * 1e15F : x;
}
inline Forest without_tiny(Forest forest) {
  for (Tree& tree : forest.trees)
    for (Tree::Node& node : tree.nodes) node.threshold = without_tiny(node.threshold);
  return forest;
}
inline Dataset without_tiny(const Dataset& data) {
  DatasetParts parts = data.parts();
  std::vector<float> values(parts.dense.view().begin(), parts.dense.view().end());
  for (float& x : values) x = without_tiny(x);
  parts.dense = std::move(values);
  return Dataset(std::move(parts));
}

}  // namespace podium::testing

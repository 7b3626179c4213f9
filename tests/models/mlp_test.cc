#include "models/mlp/mlp.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "models/mlp/mlp_kernels.h"
#include "models/mlp/mlp_network.h"
#include "support/on_each_target.h"
#include "support/toy_data.h"

namespace podium::mlp_test {
namespace {

using testing::Bench;
using testing::make_dataset;

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

std::vector<float> random_floats(std::size_t n, std::uint64_t seed, double spread = 1) {
  Random random(seed);
  std::vector<float> out(n);
  for (float& x : out) x = static_cast<float>(spread * (2 * random.uniform() - 1));
  return out;
}

Mlp random_mlp(std::size_t features, const std::vector<std::size_t>& hidden,
               Mlp::Activation activation, std::uint64_t seed) {
  Mlp model{activation, random_floats(features, seed), {}, {}};
  for (std::size_t f = 0; f < features; ++f) model.scale.push_back(0.5F + static_cast<float>(f));
  std::size_t inputs = features;
  std::vector<std::size_t> widths = hidden;
  widths.push_back(1);
  for (const std::size_t outputs : widths) {
    Mlp::Layer layer;
    for (std::size_t o = 0; o < outputs; ++o)
      layer.weights.push_back(random_floats(inputs, ++seed, 0.7));
    layer.bias = random_floats(outputs, ++seed);
    model.layers.push_back(std::move(layer));
    inputs = outputs;
  }
  return model;
}

// The definition, in double precision.
double score_plainly(const Mlp& model, std::span<const float> x) {
  std::vector<double> z;
  for (std::size_t f = 0; f < x.size(); ++f)
    z.push_back(std::isnan(x[f]) || model.scale[f] == 0
                    ? 0.0
                    : (static_cast<double>(x[f]) - model.mean[f]) / model.scale[f]);
  for (const Mlp::Layer& layer : model.layers) {
    std::vector<double> out(layer.bias.begin(), layer.bias.end());
    for (std::size_t o = 0; o < out.size(); ++o) {
      for (std::size_t i = 0; i < z.size(); ++i) out[o] += layer.weights[o][i] * z[i];
      if (&layer == &model.layers.back()) continue;
      out[o] =
          model.activation == Mlp::Activation::tanh ? std::tanh(out[o]) : std::max(out[o], 0.0);
    }
    z = out;
  }
  return z[0];
}

Dataset sample(std::size_t documents, std::size_t features) {
  std::vector<float> values = random_floats(documents * features, 3, 4);
  for (std::size_t i = 0; i < values.size(); i += 17) values[i] = kMissing;
  for (std::size_t i = 0; i < values.size(); i += 5) values[i] = 0;
  return make_dataset({documents}, features, std::move(values), std::vector<float>(documents));
}

TEST(Mlp, ScoresAsDefined) {
  const Dataset data = sample(300, 21);
  Bench bench(2);
  for (const auto activation : {Mlp::Activation::tanh, Mlp::Activation::relu})
    for (const std::vector<std::size_t>& hidden :
         {std::vector<std::size_t>{}, {5}, {32, 16}, {40, 17, 3}}) {
      const Mlp model = random_mlp(21, hidden, activation, 11);
      const auto scores = score(model, data, bench.pool);
      const Rows rows = data.rows(0, 300);
      for (std::size_t i = 0; i < scores.size(); ++i)
        ASSERT_NEAR(scores[i], score_plainly(model, rows.dense(i)), 2e-5);
    }
}

TEST(Mlp, AScoreDependsOnNoOtherDocument) {
  const Dataset data = sample(500, 13);
  const Mlp model = random_mlp(13, {19, 8}, Mlp::Activation::tanh, 5);
  Bench one(1), four(4);
  const auto together = score(model, data, one.pool);
  EXPECT_EQ(score(model, data, four.pool), together);
  const MlpNetwork network(model);
  MlpNetwork::Pass pass;
  for (const std::size_t count : {1, 2, 3, 7, 100})
    for (std::size_t begin = 0; begin + count <= 500; begin += count) {
      std::vector<double> scores(count);
      network.forward(data.rows(begin, begin + count), scores, pass);
      for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(scores[i], together[begin + i]);
    }
}

TEST(Mlp, MissingIsTheMeanAndConstantsHaveNoEffect) {
  Mlp model = random_mlp(3, {4}, Mlp::Activation::tanh, 2);
  model.scale[2] = 0;
  const Dataset data = make_dataset(
      {4}, 3, {1, kMissing, 0, 1, model.mean[1], 7, 1, kMissing, -1e9F, kMissing, kMissing, 0},
      {0, 0, 0, 0});
  Bench bench;
  const auto scores = score(model, data, bench.pool);
  EXPECT_EQ(scores[0], scores[1]);
  EXPECT_EQ(scores[0], scores[2]);
  EXPECT_NE(scores[0], scores[3]);
}

TEST(Mlp, StandardizationLeavesMissingValuesOut) {
  const Dataset data = make_dataset({2, 2}, 4,
                                    {1, 5, kMissing, 1e8F,      //
                                     3, 5, kMissing, kMissing,  //
                                     5, 5, kMissing, 1e8F,      //
                                     7, 5, kMissing, 1e8F},
                                    {0, 0, 0, 0});
  Bench bench;
  const Standardization fitted = fit_standardization(data, bench.context);
  EXPECT_EQ(fitted.mean, (std::vector<float>{4, 5, 0, 1e8F}));
  EXPECT_FLOAT_EQ(fitted.deviation[0], std::sqrt(5.0F));
  EXPECT_EQ(fitted.deviation[1], 0);
  EXPECT_EQ(fitted.deviation[2], 0);
  EXPECT_EQ(fitted.deviation[3], 0);
}

TEST(Mlp, ParametersReproduceTheModel) {
  const Mlp model = random_mlp(9, {20, 3}, Mlp::Activation::relu, 8);
  const MlpNetwork network(model);
  const Mlp back = network.model(network.parameters_of(model));
  for (std::size_t l = 0; l < 3; ++l) {
    EXPECT_EQ(back.layers[l].weights, model.layers[l].weights);
    EXPECT_EQ(back.layers[l].bias, model.layers[l].bias);
  }
  EXPECT_EQ(back.mean, model.mean);
  EXPECT_EQ(back.scale, model.scale);
}

class MlpKernelsOn : public testing::OnEachTarget {};
PODIUM_ON_EACH_TARGET(MlpKernelsOn);

TEST_P(MlpKernelsOn, MultipliesInTheStatedOrder) {
  for (const std::size_t rows : {1, 2, 5, 12, 29})
    for (const std::size_t depth : {1, 3, 136})
      for (const std::size_t width : {16, 32, 48}) {
        const auto a = random_floats(rows * depth, 1), b = random_floats(depth * width, 2);
        const auto c = random_floats(rows * width, 3);
        std::vector<float> plain = c;
        for (std::size_t i = 0; i < rows; ++i)
          for (std::size_t k = 0; k < depth; ++k)
            for (std::size_t j = 0; j < width; ++j)
              plain[i * width + j] += a[i * depth + k] * b[k * width + j];
        std::vector<float> chosen = c, transposed = c, turned(a.size());
        multiply_add({a.data(), depth, 1}, b.data(), chosen.data(), rows, depth, width);
        for (std::size_t i = 0; i < rows; ++i)
          for (std::size_t k = 0; k < depth; ++k) turned[k * rows + i] = a[i * depth + k];
        multiply_add({turned.data(), 1, rows}, b.data(), transposed.data(), rows, depth, width);
        EXPECT_EQ(chosen, plain);
        EXPECT_EQ(transposed, plain);
      }
}

TEST_P(MlpKernelsOn, TanhIsRightToAFewBits) {
  std::vector<float> x;
  for (double t = 1e-30; t < 1e30; t *= 1.01) {
    x.push_back(static_cast<float>(t));
    x.push_back(static_cast<float>(-t));
  }
  x.push_back(0);
  x.push_back(std::numeric_limits<float>::infinity());
  x.push_back(-std::numeric_limits<float>::infinity());
  while (x.size() % kMlpLanes != 0) x.push_back(kMissing);
  std::vector<float> y = x, on_machine = x;
  apply_tanh(y.data(), y.size());
  testing::choose_target(0);
  apply_tanh(on_machine.data(), on_machine.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(x[i])) {
      EXPECT_TRUE(std::isnan(y[i]) && std::isnan(on_machine[i]));
      continue;
    }
    const double exact = std::tanh(static_cast<double>(x[i]));
    EXPECT_NEAR(y[i], exact, 3.0 * 0x1.0p-23 * std::abs(exact)) << x[i];
    EXPECT_EQ(y[i], on_machine[i]);
    EXPECT_LE(std::abs(y[i]), 1);
  }
}

TEST_P(MlpKernelsOn, StandardizesAllExceptMissingValues) {
  for (const std::size_t n : {1, 7, 16, 21, 136}) {
    std::vector<float> x = random_floats(n, 1), out(n), expected(n);
    const auto mean = random_floats(n, 2), factor = random_floats(n, 3);
    for (std::size_t f = 0; f < n; f += 5) x[f] = kMissing;
    for (std::size_t f = 0; f < n; ++f)
      if (!std::isnan(x[f])) expected[f] = (x[f] - mean[f]) * factor[f];
    standardize(x.data(), mean.data(), factor.data(), out.data(), n);
    EXPECT_EQ(out, expected) << n;
  }
}

}  // namespace
}  // namespace podium::mlp_test

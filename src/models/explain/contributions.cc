// Implements explain.h for each kind of model.
#include <cmath>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "core/math_functions.h"
#include "core/overloaded.h"
#include "models/blend/blend.h"
#include "models/explain/gauss_legendre.h"
#include "models/explain/integrated_gradients.h"
#include "models/explain/tree_shap.h"
#include "models/linear/linear.h"
#include "models/row_values.h"
#include "podium/explain.h"

namespace podium {
namespace {

constexpr std::size_t kChunk = 16;  // documents

void settle(Explanation& explanation, double score) {
  explanation.score = score;
  explanation.rest =
      score - explanation.base -
      std::accumulate(explanation.contributions.begin(), explanation.contributions.end(), 0.0);
}

// One document at a time: explain_one(features, explanation).
template <class ExplainOne>
std::vector<Explanation> for_each_document(const Model& model, const Dataset& inputs,
                                           Context& context, ExplainOne&& explain_one) {
  const std::vector<double> scores = score(model, inputs, context);
  std::vector<Explanation> out(inputs.documents());
  parallel_for(context.pool, inputs.documents(), kChunk, [&](std::size_t begin, std::size_t end) {
    const Rows rows = inputs.rows(begin, end);
    RowValues values(rows);
    for (std::size_t i = begin; i < end; ++i) {
      out[i].contributions.resize(inputs.features());
      explain_one(values(i - begin), out[i]);
      settle(out[i], scores[i]);
    }
  });
  return out;
}

std::vector<Explanation> explain_kind(const Linear& linear, const Dataset& inputs,
                                      Context& context) {
  return for_each_document(linear, inputs, context, [&](const float* x, Explanation& out) {
    out.base = linear.bias;
    for (std::size_t f = 0; f < linear.weights.size(); ++f)
      out.contributions[f] = std::isnan(x[f]) ? 0 : linear.weights[f] * x[f];
  });
}

std::vector<Explanation> explain_kind(const Mlp& mlp, const Dataset& inputs, Context& context) {
  return for_each_document(mlp, inputs, context, [&](const float* x, Explanation& out) {
    PathIntegral integral = integrate_gradients(mlp, x);
    out.base = integral.start;
    out.contributions = std::move(integral.contributions);
  });
}

// ∂ link / ∂ outputs[k].
std::vector<double> link_gradient(const Link& link, std::span<const double> outputs) {
  std::vector<double> out(outputs.size(), 1.0);
  if (link.kind == Link::Kind::cumulative) {
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      const double p = 1 / (1 + math::exp(-std::abs(outputs[k])));  // p (1 − p) is symmetric
      out[k] = (link.values[k + 1] - link.values[k]) * p * (1 - p);
    }
  } else if (link.kind == Link::Kind::softmax) {
    const double top = *std::max_element(outputs.begin(), outputs.end());
    const double mean = link(outputs);
    double total = 0;
    for (std::size_t k = 0; k < outputs.size(); ++k) total += out[k] = math::exp(outputs[k] - top);
    for (std::size_t k = 0; k < outputs.size(); ++k) out[k] *= (link.values[k] - mean) / total;
  }
  return out;
}

// The mean of the link's gradient on the straight line between two points; panels are halved until
// it matches the change of the link.
std::vector<double> mean_link_gradient(const Link& link, std::span<const double> from,
                                       std::span<const double> to) {
  const Quadrature quadrature = gauss_legendre(16);
  const double rise = link(to) - link(from);
  std::vector<double> sums, at(from.size());
  for (std::size_t panels = 1; panels <= 1024; panels *= 2) {
    sums.assign(from.size(), 0);
    for (std::size_t p = 0; p < panels; ++p)
      for (std::size_t i = 0; i < quadrature.points.size(); ++i) {
        const auto width = 1 / static_cast<double>(panels);
        const double t = (static_cast<double>(p) + quadrature.points[i]) * width;
        for (std::size_t k = 0; k < at.size(); ++k) at[k] = from[k] + t * (to[k] - from[k]);
        const std::vector<double> slope = link_gradient(link, at);
        for (std::size_t k = 0; k < at.size(); ++k)
          sums[k] += quadrature.weights[i] * width * slope[k];
      }
    double total = 0;
    for (std::size_t k = 0; k < sums.size(); ++k) total += sums[k] * (to[k] - from[k]);
    if (std::abs(total - rise) <= 1e-12 * (1 + std::abs(rise))) break;
  }
  return sums;
}

std::vector<Explanation> explain_kind(const Forest& forest, const Dataset& inputs,
                                      Context& context) {
  const std::size_t outputs = forest.base.size();
  std::vector<TreeShap> trees;
  std::vector<double> expected = forest.base;
  for (std::size_t t = 0; t < forest.trees.size(); ++t) {
    trees.emplace_back(forest.trees[t]);
    expected[t % outputs] += trees.back().expected();
  }
  return for_each_document(forest, inputs, context, [&](const float* x, Explanation& out) {
    std::vector<std::vector<double>> of_output(outputs, std::vector<double>(inputs.features()));
    for (std::size_t t = 0; t < trees.size(); ++t) trees[t].add(x, 1, of_output[t % outputs]);
    std::vector<double> reached = expected;
    for (std::size_t k = 0; k < outputs; ++k) {
      if (forest.offset_feature && !std::isnan(x[*forest.offset_feature]))
        of_output[k][*forest.offset_feature] += x[*forest.offset_feature];
      reached[k] = std::accumulate(of_output[k].begin(), of_output[k].end(), expected[k]);
    }
    out.base = forest.link(expected);
    if (forest.link.kind == Link::Kind::identity) {
      out.contributions = std::move(of_output[0]);
      return;
    }
    const std::vector<double> slope = mean_link_gradient(forest.link, expected, reached);
    for (std::size_t k = 0; k < outputs; ++k)
      for (std::size_t f = 0; f < out.contributions.size(); ++f)
        out.contributions[f] += slope[k] * of_output[k][f];
  });
}

// Sums over the members, each in terms of its own features.
std::vector<Explanation> explain_kind(const Blend& blend, const Dataset& inputs, Context& context) {
  std::vector<Explanation> out(inputs.documents());
  for (Explanation& sum : out) sum.contributions.resize(blend.features.size());
  for (const BlendMember& member : blend.members) {
    const auto columns = find_columns(blend.features, member.saved.features);
    const auto parts = explain(member.saved, inputs, context);
    const double factor = member.factor();
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i].base += factor * parts[i].base;
      for (std::size_t f = 0; f < columns.size(); ++f)
        out[i].contributions[columns[f]] += factor * parts[i].contributions[f];
    }
  }
  const std::vector<double> scores = score(blend, inputs, context);
  for (std::size_t i = 0; i < out.size(); ++i) settle(out[i], scores[i]);
  return out;
}

// The contributions of a feature's indicators add up to that of the feature.
std::vector<double> by_feature(const std::vector<double>& inputs, const SavedModel& saved) {
  std::vector<double> out(saved.features.size());
  std::size_t at = 0;
  for (std::size_t f = 0; f < out.size(); ++f)
    for (std::size_t k = 0; k < inputs_of(saved, f); ++k) out[f] += inputs[at++];
  return out;
}

}  // namespace

std::vector<Explanation> explain(const Model& model, const Dataset& inputs, Context& context) {
  return std::visit([&](const auto& kind) { return explain_kind(kind, inputs, context); }, model);
}

std::vector<Explanation> explain(const SavedModel& saved, const Dataset& data, Context& context) {
  auto out = explain(saved.model, prepare_inputs(saved, data, context), context);
  if (saved.normalization.multiplies())
    for (Explanation& explanation : out)
      explanation.contributions = by_feature(explanation.contributions, saved);
  return out;
}

std::string explanation_method(const Model& model) {
  using Name = std::string;
  return std::visit(Overloaded{[](const Linear&) { return Name("terms"); },
                               [](const Forest&) { return Name("shapley"); },
                               [](const Mlp&) { return Name("integrated gradients"); },
                               [](const Blend& blend) {
                                 std::set<Name> methods;
                                 for (const BlendMember& member : blend.members)
                                   methods.insert(explanation_method(member.saved.model));
                                 return fmt::format("{}", fmt::join(methods, " + "));
                               }},
                    model);
}

}  // namespace podium

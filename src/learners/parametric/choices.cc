#include "learners/parametric/choices.h"

#include <algorithm>
#include <charconv>
#include <functional>

#include <fmt/format.h>

#include "core/overloaded.h"
#include "core/spec.h"
#include "podium/error.h"
#include "podium/option_text.h"

namespace podium {
namespace {

constexpr std::size_t kMostUnits = 65536;
constexpr double kLinearPrior = 1, kNetworkPrior = 20;  // queries

// A comma-separated list of numbers that must all satisfy `accept`.
template <class Number, class Accept>
std::vector<Number> parse_list(std::string_view name, std::string_view text, Accept&& accept,
                               std::string_view wanted) {
  std::vector<Number> numbers;
  for (const std::string_view item : split_outside_parentheses(text, ',')) {
    const std::string_view plain = trim(item);
    Number number{};
    const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), number);
    if (error != std::errc() || end != plain.data() + plain.size() || !accept(number))
      throw Error(ErrorCode::usage, fmt::format("{}: '{}' is not {}", option(name), plain, wanted));
    numbers.push_back(number);
  }
  return numbers;
}

}  // namespace

std::vector<std::size_t> hidden_widths(const ParametricOptions& options) {
  if (options.hidden.empty()) return {};
  return parse_list<std::size_t>(
      "hidden", options.hidden, [](std::size_t width) { return width > 0 && width <= kMostUnits; },
      fmt::format("a width from 1 to {}", kMostUnits));
}

std::unique_ptr<ScoringFunction> make_function(const TrainingProblem& problem, const Loss& loss,
                                               const ParametricOptions& options, Context& context) {
  const auto hidden = hidden_widths(options);
  const TrainingProblem::Start& start = problem.start;
  if (start.offset_feature)
    throw Error(ErrorCode::usage,
                "linear models and perceptrons take no ‹init feature:NAME›: it is among their "
                "inputs already");
  const auto linear_from = [&](const Linear* linear) {
    return linear_function(
        problem.train,
        loss.traits().shift == LossTraits::Shift::sensitive ? Bias::fitted : Bias::none, linear,
        context);
  };
  if (start.model) {
    if (feature_count(*start.model) != problem.train.features())
      throw Error(ErrorCode::usage, "the model to start from has other features");
    const Error other(ErrorCode::usage, "the model to start from is of another kind");
    using Function = std::unique_ptr<ScoringFunction>;
    return std::visit(Overloaded{[&](const Linear& linear) -> Function {
                                   return hidden.empty() ? linear_from(&linear) : throw other;
                                 },
                                 [&](const Forest&) -> Function { throw other; },
                                 [&](const Mlp& mlp) -> Function {
                                   return hidden.empty() ? throw other : mlp_function(mlp);
                                 },
                                 [&](const Blend&) -> Function { throw other; }},
                      *start.model);
  }
  if (hidden.empty()) return linear_from(nullptr);
  return mlp_function(problem.train, hidden, options.activation, context);
}

Optimizer choose_optimizer(const Loss& loss, const ParametricOptions& options) {
  if (options.optimizer != Optimizer::automatic) return options.optimizer;
  // λ-gradients are not the gradient of a function, which a line search would need.
  const bool smooth = loss.traits().weights == LossTraits::Weights::smooth;
  return smooth && options.hidden.empty() ? Optimizer::lbfgs : Optimizer::adam;
}

std::vector<double> decay_path(const TrainingProblem& problem, const ParametricOptions& options,
                               double queries) {
  if (options.weight_decay == "auto")
    return {(options.hidden.empty() ? kLinearPrior : kNetworkPrior) / queries};
  auto path = parse_list<double>(
      "weight-decay", options.weight_decay, [](double decay) { return decay >= 0 && decay <= 1e6; },
      "a number from 0 to 1e6, or a list of them");
  if (path.size() > 1 && !problem.valid)
    throw Error(ErrorCode::usage, "‹weight-decay› is a list: give ‹valid› to choose by");
  std::sort(path.begin(), path.end(), std::greater<>());
  return path;
}

}  // namespace podium

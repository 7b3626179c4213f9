#include "learners/direct_search/directrank_trees_options.h"

#include <fmt/format.h>

#include "core/text_scan.h"
#include "podium/error.h"
#include "podium/option_text.h"

namespace podium {
namespace {

constexpr double kFewQueriesRate = 0.3, kFewQueriesFraction = 0.5;
constexpr double kLeverageRate = 0.1;  // mart's

double number(std::string_view name, std::string_view text, const Range& range) {
  double value = 0;
  if (!parse_double(text, value) || !range.contains(value))
    throw Error(ErrorCode::usage, fmt::format("{} '{}': must be auto or a number {}", option(name),
                                              text, range.text()));
  return value;
}

void check(const DirectTreesOptions& options) {
  if (!(options.min_weight < options.max_weight))
    throw Error(ErrorCode::usage, fmt::format("‹min-weight {}› is not below ‹max-weight {}›",
                                              options.min_weight, options.max_weight));
  if (options.weigh == TreeWeights::Rule::Of::leaves && !options.monotone.empty())
    throw Error(ErrorCode::usage,
                "‹monotone› does not hold where each leaf has a weight of its own: leave out "
                "‹weigh leaves›");
}

}  // namespace

const OptionTable<DirectTreesOptions>& directrank_trees_table() {
  using Options = DirectTreesOptions;
  static const auto options = [] {
    auto all = boosting_table<Options>(Rates::of_the_row);
    return all
        .add("learning-rate", &Options::rate,
             fmt::format(
                 "factor applied to each tree before its weight is searched: a number, or auto: {} "
                 "below {} training queries per leaf, else 1 (‹strategy leverage›: {})",
                 kFewQueriesRate, kQueriesPerLeaf, kLeverageRate))
        .add("query-fraction", &Options::fraction,
             fmt::format(
                 "fraction of the queries each tree is trained on: a number up to 1, or auto: {} "
                 "below {} training queries per leaf, else 1 (‹strategy leverage›: 1)",
                 kFewQueriesFraction, kQueriesPerLeaf))
        .add("objective", &Options::objective,
             "measure that tree weights optimise, e.g. nDCG@5; auto: the one given by ‹measure›")
        .add("min-weight", &Options::min_weight, "smallest weight of a tree", at_least(0))
        .add("max-weight", &Options::max_weight, "largest weight of a tree", above(0))
        .add("outside", &Options::outside,
             "what to do if the best weight is outside this range: search: take the best weight "
             "inside; clip: take the nearer limit, as the paper does",
             {{"search", WeightRange::Outside::search}, {"clip", WeightRange::Outside::clip}})
        .add("weigh", &Options::weigh,
             "tree: one weight per tree; leaves: also one per leaf, searched one after another",
             {{"tree", TreeWeights::Rule::Of::tree}, {"leaves", TreeWeights::Rule::Of::leaves}})
        .add("weigh-on", &Options::weigh_on,
             "queries on which weights are searched: held-out: those outside ‹query-fraction›, if "
             "any; all; auto: held-out if each tree is trained on a fraction of the queries",
             {{"auto", Options::WeighOn::automatic},
              {"held-out", Options::WeighOn::held_out},
              {"all", Options::WeighOn::all}})
        .add("strategy", &Options::strategy,
             "stagewise: each tree's weight is searched when the tree is added; leverage: all "
             "trees are grown first, as mart does, and their weights searched afterwards",
             {{"stagewise", Options::Strategy::stagewise},
              {"leverage", Options::Strategy::leverage}})
        .add("leverage", &Options::leverage,
             "final passes in which all tree weights are searched again; 0: none (‹strategy "
             "leverage›: until a pass gains nothing)",
             at_least(0))
        .add("targets", &Options::targets,
             "target of each grade g: linear (g), exp2 (2^g - 1), or a list such as 0/1/3/7")
        .search("max-weight", by_factors(0.2, 2));
  }();
  return options;
}

TreePlan plan_trees(const DirectTreesOptions& options, std::size_t queries) {
  check(options);
  using WeighOn = DirectTreesOptions::WeighOn;
  const bool levers = options.strategy == DirectTreesOptions::Strategy::leverage;
  const bool many = queries >= kQueriesPerLeaf * static_cast<std::size_t>(options.leaves);
  TreePlan plan;
  plan.boosting = options;
  double& rate = plan.boosting.learning_rate;
  double& fraction = plan.boosting.query_fraction;
  const auto settle = [&plan](double& value, const char* name, const std::string& given,
                              const Range& range, double automatic) {
    value = given == "auto" ? automatic : number(name, given, range);
    if (given == "auto") plan.settled += " " + option(name, fmt::format("{}", value));
  };
  settle(rate, "learning-rate", options.rate, above(0),
         levers ? kLeverageRate
         : many ? 1.0
                : kFewQueriesRate);
  // If queries are to be held out, some must be left.
  const bool whole = levers || (many && options.weigh_on != WeighOn::held_out);
  settle(fraction, "query-fraction", options.fraction, Range{0, 1, Range::Low::open},
         whole ? 1.0 : kFewQueriesFraction);
  const bool held_out = options.weigh_on != WeighOn::all && fraction < 1;
  plan.weigh_on = held_out ? TreePlan::WeighOn::held_out : TreePlan::WeighOn::all;
  if (!levers && options.weigh_on == WeighOn::automatic)
    plan.settled += held_out ? " ‹weigh-on held-out›" : " ‹weigh-on all›";
  return plan;
}

}  // namespace podium

#include "learners/direct_search/directrank_options.h"

namespace podium {
namespace {

// Up to this many documents the most likely point of an interval is worth its cost. [Tan13] uses it
// for LETOR's sets (up to 84,000 documents), and the middle from 473,000 on.
constexpr std::int64_t kSmallData = 200'000;

}  // namespace

const OptionTable<DirectRankOptions>& directrank_options() {
  using Options = DirectRankOptions;
  using Directions = DirectSearchOptions::Directions;
  using Order = DirectSearchOptions::Order;
  static const auto options =
      OptionTable<Options>()
          .add("objective", &Options::objective, kObjectiveHelp)
          .add("directions", &Options::directions,
               "coordinates: features; powell: Powell's set of directions; gradient: of "
               "‹direction-loss›; mixed: features, the round's displacement and a gradient",
               {{"coordinates", Directions::coordinates},
                {"powell", Directions::powell},
                {"gradient", Directions::gradient},
                {"mixed", Directions::mixed}})
          .add("order", &Options::order,
               "cyclic: a step along each direction in turn; greedy: one along the best",
               {{"cyclic", Order::cyclic}, {"greedy", Order::greedy}})
          .add("point", &Options::point,
               "point to take in the best interval: its middle, its Plackett-Luce maximum, or "
               "auto: the latter up to 200,000 documents",
               {{"auto", Options::Point::automatic},
                {"middle", Options::Point::middle},
                {"plackett-luce", Options::Point::plackett_luce}})
          .add("restarts", &Options::restarts, "number of random starting points", at_least(0))
          .add("starts", &Options::starts,
               "learners of linear models whose solutions are starts too, e.g. "
               "linear,ranksvm(C=10); auto: linear, ranksvm, svm-map, listnet, lambdarank, and "
               "softrank up to 10 million pairs of documents; empty: none")
          .add("kicks", &Options::kicks,
               "number of climbs from small random perturbations of the best weights found",
               at_least(0))
          .add("direction-loss", &Options::direction_loss,
               "loss whose gradients are used as directions, for gradient and mixed")
          .add("l2", &Options::l2,
               "penalty on the squared length of a step, in units of the weights' norm; 0: none",
               at_least(0))
          .add("l1", &Options::l1, "penalty on the length of a step; 0: none", at_least(0))
          .add("max-rounds", &Options::max_rounds, "maximum rounds per start", at_least(1))
          .add("tolerance", &Options::tolerance,
               "a climb ends when a round gains no more than this", at_least(0))
          .add("early-stopping", &Options::early_stopping,
               "a climb ends when the validation measure has not improved for this many rounds; 0: "
               "never",
               at_least(0))
          .add("max-seconds", &Options::max_seconds, "stop after this many seconds; 0: never",
               at_least(0))
          .search("l2", by_factors(1e-4, 1))
          .search("l1", by_factors(1e-4, 0.1))
          .search("point", among({"middle", "plackett-luce"}));
  return options;
}

DirectSearchOptions search_options(const DirectRankOptions& options, std::int64_t documents) {
  using Point = DirectRankOptions::Point;
  DirectSearchOptions search;
  search.directions = options.directions;
  search.order = options.order;
  const bool likely = options.point == Point::plackett_luce ||
                      (options.point == Point::automatic && documents <= kSmallData);
  search.step = {likely ? StepRule::Point::plackett_luce : StepRule::Point::middle, options.l1,
                 options.l2};
  search.tolerance = options.tolerance;
  return search;
}

}  // namespace podium

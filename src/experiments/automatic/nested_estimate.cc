#include "experiments/automatic/nested_estimate.h"

#include "podium/stop.h"

namespace podium {
namespace {

void append(std::vector<double>& to, const std::vector<double>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

std::vector<std::size_t> all_but(std::size_t folds, std::size_t hidden) {
  std::vector<std::size_t> out;
  for (std::size_t f = 0; f < folds; ++f)
    if (f != hidden) out.push_back(f);
  return out;
}

}  // namespace

NestedEstimate nested_estimate(const CandidateTable& candidates, const Judging& judging,
                               TrainedCells& cells, const BlendChooser& chooser,
                               const EstimatePlan& plan, const std::function<bool()>& go_on,
                               Context& context) {
  NestedEstimate out;
  out.trials = plan.trials;
  const std::size_t trained = cells.trained();
  const double seconds = cells.seconds();
  try {
    for (std::size_t hidden = 0; hidden < plan.folds; ++hidden) {
      if (hidden > 0 && go_on && !go_on()) throw OutOfTime();
      const std::vector<std::size_t> visible = all_but(judging.folds(), hidden), judged = {hidden};
      AutoSearch search(candidates, judging, cells, visible, plan.search);
      search.run(plan.trials, {}, context);
      const auto leaders = search.leaders();
      if (leaders.empty()) break;
      BlendChoice choice = chooser.choose(leaders, visible, context);
      if (plan.simple) choice = {{leaders[0]}, {.weights = {1}}};
      std::vector<CellAt> wanted;
      for (const JudgedCandidate& member : choice.members)
        wanted.push_back({member.candidate, judging.split_of(hidden), 1});
      wanted.push_back({leaders[0].candidate, judging.split_of(hidden), 1});
      cells.require(wanted, context);
      bool all_done = true;
      for (const CellAt& where : wanted)
        all_done = all_done && cells.at(where).status == TrainedCell::Status::done;
      if (!all_done) break;
      append(out.blend, chooser.values(choice, judged, context));
      append(out.single, chooser.values(leaders[0].candidate, judged));
      // The baselines may be too slow for the budget: then their values are NaN.
      append(out.boosted, chooser.values(candidates.boosted_baseline(), judged));
      append(out.feature, chooser.values(candidates.feature_baseline(), judged));
      ++out.folds;
      context.observer.iteration(
          {static_cast<std::int64_t>(out.folds), static_cast<std::int64_t>(plan.folds), {}});
    }
  } catch (const Stopped&) {
    context.observer.note("stopped: the estimate is of the folds judged so far");
  } catch (const OutOfTime&) {  // the folds judged so far
  }
  out.cells = cells.trained() - trained;
  out.seconds = cells.seconds() - seconds;
  return out;
}

}  // namespace podium

#include "experiments/automatic/nested_estimate.h"

#include <algorithm>
#include <cmath>

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

// Of models that were trained on so many of all folds.
std::vector<double> extrapolated(const std::vector<double>& smaller,
                                 const std::vector<double>& larger, std::size_t folds) {
  const auto k = static_cast<double>(folds);
  const double c = (k - 2) / k;
  std::vector<double> out;
  for (std::size_t q = 0; q < larger.size(); ++q)
    out.push_back(larger[q] + c * (larger[q] - smaller[q]));
  return out;
}

// One estimate: what is judged fold by fold, with its values.
class Estimate {
 public:
  Estimate(const CandidateTable& candidates, const Judging& judging, TrainedCells& cells,
           const BlendChooser& chooser, const EstimatePlan& plan, Context& context)
      : candidates_(candidates),
        judging_(judging),
        cells_(cells),
        chooser_(chooser),
        plan_(plan),
        context_(context),
        refits_(plan.refits) {}

  // Returns false if it could not be judged.
  bool judge(std::size_t hidden);
  NestedEstimate result() const;

 private:
  bool train(std::size_t hidden, const std::vector<Candidate>& wanted, int share);
  void append_values(QueryValues& to, const BlendChoice& choice, const Candidate& single,
                     std::size_t hidden, int share);

  const CandidateTable& candidates_;
  const Judging& judging_;
  TrainedCells& cells_;
  const BlendChooser& chooser_;
  const EstimatePlan& plan_;
  Context& context_;
  bool refits_;
  std::vector<std::size_t> queries_;  // of the folds that were judged
  double refit_work_ = 0;
  QueryValues by_search_, by_refits_;
};

// Whether all of them are done.
bool Estimate::train(std::size_t hidden, const std::vector<Candidate>& wanted, int share) {
  std::vector<CellAt> runs;
  for (const Candidate& candidate : wanted)
    runs.push_back({candidate, judging_.split_of(hidden), share});
  cells_.require(runs, context_);
  bool all_done = true;
  for (const CellAt& where : runs)
    all_done = all_done && cells_.at(where).status == TrainedCell::Status::done;
  return all_done;
}

void Estimate::append_values(QueryValues& to, const BlendChoice& choice, const Candidate& single,
                             std::size_t hidden, int share) {
  const std::vector<std::size_t> judged = {hidden};
  append(to.blend, chooser_.values(choice, judged, context_, share));
  append(to.single, chooser_.values(single, judged, share));
  // The baselines may be too slow for the budget: then their values are NaN.
  append(to.boosted, chooser_.values(candidates_.boosted_baseline(), judged, share));
  append(to.feature, chooser_.values(candidates_.feature_baseline(), judged, share));
}

bool Estimate::judge(std::size_t hidden) {
  const std::vector<std::size_t> visible = all_but(judging_.folds(), hidden);
  AutoSearch search(candidates_, judging_, cells_, visible, plan_.search);
  search.run(plan_.trials, {}, context_);
  const auto leaders = search.leaders();
  if (leaders.empty()) return false;
  BlendChoice choice = chooser_.choose(leaders, visible, context_);
  if (plan_.simple) choice = {{leaders[0]}, {.weights = {1}}};
  const Candidate& single = leaders[0].candidate;
  std::vector<Candidate> wanted;
  for (const JudgedCandidate& member : choice.members) wanted.push_back(member.candidate);
  wanted.push_back(single);
  if (!train(hidden, wanted, 1)) return false;
  append_values(by_search_, choice, single, hidden, 1);
  queries_.push_back(judging_.queries({hidden}).size());
  if (!refits_) return true;
  const double before = cells_.work();
  refits_ = train(hidden, wanted, kRefitted);
  train(hidden, {candidates_.boosted_baseline(), candidates_.feature_baseline()}, kRefitted);
  refit_work_ += cells_.work() - before;
  if (refits_) append_values(by_refits_, choice, single, hidden, kRefitted);
  return true;
}

NestedEstimate Estimate::result() const {
  NestedEstimate out;
  static_cast<QueryValues&>(out) = by_search_;
  out.trials = plan_.trials;
  out.folds = queries_.size();
  out.queries = queries_;
  out.refit_work = refit_work_;
  if (!refits_ || by_refits_.blend.size() != by_search_.blend.size()) return out;
  const std::size_t k = judging_.folds();
  out.smaller = by_search_.blend;
  out.larger = by_refits_.blend;
  out.blend = extrapolated(by_search_.blend, by_refits_.blend, k);
  out.single = extrapolated(by_search_.single, by_refits_.single, k);
  out.boosted = extrapolated(by_search_.boosted, by_refits_.boosted, k);
  out.feature = extrapolated(by_search_.feature, by_refits_.feature, k);
  return out;
}

}  // namespace

double spread_of_folds(const std::vector<double>& values, const std::vector<std::size_t>& queries) {
  struct Moments {
    double count = 0, sum = 0;
    double mean() const { return sum / count; }
  };
  std::vector<Moments> folds(queries.size());
  Moments all;
  std::size_t at = 0;
  for (std::size_t f = 0; f < folds.size(); ++f)
    for (const std::size_t end = at + queries[f]; at < end; ++at) {
      if (std::isnan(values[at])) continue;
      for (Moments* moments : {&folds[f], &all}) {
        ++moments->count;
        moments->sum += values[at];
      }
    }
  double between = 0, total = 0, groups = 0;
  for (const Moments& fold : folds) {
    if (fold.count == 0) continue;
    ++groups;
    between += fold.count * (fold.mean() - all.mean()) * (fold.mean() - all.mean());
  }
  for (const double value : values)
    if (!std::isnan(value)) total += (value - all.mean()) * (value - all.mean());
  if (groups < 2 || total == 0) return 1;
  return std::sqrt(std::max(1.0, (between / (groups - 1)) / (total / (all.count - 1))));
}

NestedEstimate nested_estimate(const CandidateTable& candidates, const Judging& judging,
                               TrainedCells& cells, const BlendChooser& chooser,
                               const EstimatePlan& plan, const std::function<bool()>& go_on,
                               Context& context) {
  const std::size_t trained = cells.trained();
  const double seconds = cells.seconds();
  Estimate estimate(candidates, judging, cells, chooser, plan, context);
  try {
    for (std::size_t hidden = 0; hidden < plan.folds; ++hidden) {
      if (hidden > 0 && go_on && !go_on()) throw OutOfTime();
      if (!estimate.judge(hidden)) break;
      context.observer.iteration(
          {static_cast<std::int64_t>(hidden + 1), static_cast<std::int64_t>(plan.folds), {}});
    }
  } catch (const Stopped&) {
    context.observer.note("stopped: the estimate is of the folds judged so far");
  } catch (const OutOfTime&) {  // the folds judged so far
  }
  NestedEstimate out = estimate.result();
  out.cells = cells.trained() - trained;
  out.seconds = cells.seconds() - seconds;
  return out;
}

}  // namespace podium

#include "experiments/automatic/pacing.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "experiments/automatic/refit.h"

namespace podium {
namespace {

using Clock = TrainedCells::Clock;

constexpr double kThreadsLose = 1.1;  // thread-seconds of one run in all threads, by those in one
constexpr double kPointLimit = 2;     // times the training runs of the family's defaults
constexpr double kFlagshipLimit = 2;  // times its first training run
constexpr double kHighestCost = 8;
constexpr double kHighestShare = 3;
constexpr std::size_t kLeastShared = 400;  // training queries of which a quarter is enough to race

}  // namespace

Pacing::Pacing(const Setting& setting, const CandidateTable& candidates, Judging& judging,
               TrainedCells& cells, const BlendChooser& chooser, int threads)
    : setting_(setting),
      candidates_(candidates),
      judging_(judging),
      cells_(cells),
      chooser_(chooser),
      flagship_{candidates.order().front(), 0},
      budget_({.seconds = setting.seconds,
               .threads = static_cast<std::size_t>(threads),
               .splits = judging.splits(),
               .folds = judging.folds(),
               .families = candidates.families()}) {
  for (std::size_t f = 0; f < judging.folds(); ++f) folds_.push_back(f);
}

double Pacing::elapsed() const {
  return std::chrono::duration<double>(Clock::now() - setting_.began).count();
}

SearchPlan Pacing::measure(Context& context) {
  const CellAt first{flagship_, 0, 1};
  const auto threads = static_cast<double>(budget_.setting().threads);
  cells_.set_limit(budget_.first_limit() * threads, TrainedCells::WithoutModel::goes_on);
  cells_.require({first}, context);
  const TrainedCell& cell = cells_.at(first);
  first_work_ = cell.work;
  first_seconds_ = cell.work / threads;
  plan_ = budget_.plan({.seconds = first_seconds_,
                        .cut = cell.cut,
                        .can_take_first_fold = judging_.can_judge_by_first_fold(),
                        .can_share = judging_.training_queries() >= kLeastShared});
  if (plan_.first_fold) judging_.judge_by_first_fold();
  return plan_;
}

// The defaults get a part of what is left. Other points get as much as their family's defaults
// took, or twice that: whether there is time for them is asked before the round.
void Pacing::begin_runs(std::span<const Candidate> round, std::size_t runs) {
  if (round.size() == 1 && round.front() == flagship_)
    return cells_.set_limit(kFlagshipLimit * first_work_, TrainedCells::WithoutModel::goes_on);
  double limit = budget_.run_limit(elapsed(), needs_, runs * round.size());
  for (const Candidate& candidate : round)
    if (candidate.point > 0) limit = std::max(limit, kPointLimit * default_work(candidate.family));
  cells_.set_limit(limit);
}

double Pacing::default_work(std::size_t family) const {
  const auto known = cells_.all().find({{family, 0}, 0, 1});
  return known == cells_.all().end() ? 0 : known->second.work;
}

const SearchPlan& Pacing::plan_rounds() {
  for (std::size_t f = 0; f < candidates_.families(); ++f)
    plan_.costs.push_back(static_cast<int>(
        std::lround(std::clamp(default_work(f) / std::max(first_work_, 1e-9), 1.0, kHighestCost))));
  while (plan_.round_trials > 1 && !budget_.round_fits(elapsed(), needs_, next_round()))
    --plan_.round_trials;
  return plan_;
}

// Of the members that the blend would have now.
void Pacing::measure_refits(const AutoSearch& search) {
  std::vector<JudgedCandidate> members = search.leaders();
  if (!members.empty()) members = chooser_.finalists(members, folds_);
  members.resize(std::min(members.size(), setting_.members));
  double work = 0;
  for (const JudgedCandidate& member : members)
    work += refit_work(candidates_, judging_, cells_, member.candidate);
  if (members.empty()) work = first_work_ * judging_.all_to_fold() * judging_.all_to_fold();
  needs_.refits = kThreadsLose * work / static_cast<double>(budget_.setting().threads);
  needs_.fold_refits = budget_.fold_refits(needs_.refits);
}

void Pacing::end_round() {
  if (!round_began_) return;
  round_before_ = std::exchange(last_round_, elapsed() - *round_began_);
  needs_.rounds += last_round_;
  round_began_.reset();
}

double Pacing::next_round() const {
  if (last_round_ > 0) return std::max(last_round_, round_before_);
  const double runs = std::min<double>(2, static_cast<double>(judging_.splits()));
  return static_cast<double>(plan_.round_trials) * runs * first_seconds_ / plan_.share;
}

bool Pacing::go_on(AutoSearch::Step step, const AutoSearch& search) {
  end_round();
  measure_refits(search);
  if (step == AutoSearch::Step::another_default)
    return search.defaults() == 0 || budget_.another_default_fits(elapsed(), needs_);
  if (!estimate_began_) return false;  // first an estimate of the defaults, which trains little
  if (!budget_.round_fits(elapsed(), needs_, next_round())) return false;
  round_began_ = elapsed();
  return true;
}

AutoSearch::Pace Pacing::pace(const AutoSearch& search, std::function<void(std::size_t)> report) {
  return {
      .go_on =
          [this, &search, report = std::move(report)](AutoSearch::Step step, std::size_t trials) {
            report(trials);
            return go_on(step, search);
          },
      .begin_runs = [this](std::span<const Candidate> round,
                           std::size_t runs) { begin_runs(round, runs); }};
}

void Pacing::begin_estimate(const AutoSearch& search) {
  end_round();
  measure_refits(search);
  const bool is_first = !estimate_began_;
  estimate_began_ = elapsed();
  work_before_ = cells_.work();
  const double end = budget_.estimate_end(needs_.refits);
  // The first one has at least a fold.
  if (!is_first)
    cells_.set_deadline(setting_.began + std::chrono::duration_cast<Clock::duration>(
                                             std::chrono::duration<double>(end)));
  cells_.set_limit(std::max(
      first_work_, (end - elapsed()) / 2 * static_cast<double>(budget_.setting().threads)));
}

// What the next one will cost: as much per fold, and more training runs, as this one had.
void Pacing::end_estimate(std::size_t folds, double refits) {
  cells_.set_deadline({});
  const auto threads = static_cast<double>(budget_.setting().threads);
  const double spent = elapsed() - *estimate_began_ - refits / threads;
  const double trained = (cells_.work() - work_before_ - refits) / threads;
  estimates_ += trained;
  rounds_estimated_ += std::exchange(needs_.rounds, 0);
  if (rounds_estimated_ > 0)
    needs_.estimate_share = std::min(kHighestShare, estimates_ / rounds_estimated_);
  if (folds > 0)
    needs_.weights =
        std::max(needs_.weights, std::max(1e-6, spent - trained) / static_cast<double>(folds));
}

bool Pacing::time_for_refits() const {
  return needs_.fold_refits > 0;
}

bool Pacing::search_on(const AutoSearch& search) {
  measure_refits(search);
  return budget_.search_on(elapsed(), needs_, next_round());
}

}  // namespace podium

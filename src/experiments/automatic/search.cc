#include "experiments/automatic/search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "podium/significance.h"

namespace podium {
namespace {

constexpr std::size_t kQuickFolds = 2;
constexpr double kHopeless = 3;  // standard errors, on a part of the queries

}  // namespace

bool is_clearly_worse(const std::vector<double>& best, const std::vector<double>& other,
                      double errors) {
  const Effect found = effect(paired_differences(other, best));
  if (!found.cohens_dz) return found.mean < 0;
  return *found.cohens_dz * std::sqrt(static_cast<double>(found.queries)) < -errors;
}

AutoSearch::AutoSearch(const CandidateTable& candidates, const Judging& judging,
                       TrainedCells& cells, std::vector<std::size_t> visible,
                       const SearchPlan& plan)
    : candidates_(candidates),
      judging_(judging),
      cells_(cells),
      visible_(std::move(visible)),
      plan_(plan),
      order_(candidates.order()),
      families_(candidates.families()) {}

void AutoSearch::require(const std::vector<Candidate>& round, const std::vector<std::size_t>& folds,
                         int share, const Pace& pace, Context& context) {
  std::vector<CellAt> wanted;
  const std::vector<std::size_t> splits = judging_.splits_of(folds);
  for (const Candidate& candidate : round)
    for (const std::size_t split : splits) wanted.push_back({candidate, split, share});
  if (pace.begin_runs) pace.begin_runs(round, splits.size());
  cells_.require(wanted, context);
}

std::vector<double> AutoSearch::values(const Candidate& candidate,
                                       const std::vector<std::size_t>& folds, int share) const {
  std::vector<double> out;
  for (const std::size_t query : judging_.queries(folds)) {
    const auto [split, place] = judging_.place(query);
    const TrainedCell& cell = cells_.at({candidate, split, share});
    if (cell.status != TrainedCell::Status::done) return {};
    out.push_back(cell.per_query[place]);
  }
  return out;
}

std::optional<double> AutoSearch::value(const Candidate& candidate,
                                        const std::vector<std::size_t>& folds, int share) const {
  const std::vector<double> found = values(candidate, folds, share);
  const std::vector<std::size_t> queries = judging_.queries(folds);
  double sum = 0, weight = 0;
  for (std::size_t q = 0; q < found.size(); ++q) {
    if (std::isnan(found[q])) continue;
    sum += judging_.data().query_weight(queries[q]) * found[q];
    weight += judging_.data().query_weight(queries[q]);
  }
  return weight > 0 ? std::optional(sum / weight) : std::nullopt;
}

void AutoSearch::judge(const std::vector<Candidate>& round, const Pace& pace, Context& context) {
  require(round, visible_, 1, pace, context);
  for (const Candidate& candidate : round) {
    const auto found = value(candidate, visible_, 1);
    if (!found) continue;
    judged_.push_back({candidate, *found});
    auto& best = families_[candidate.family].best;
    if (!best || *found > best->value) best = judged_.back();
  }
}

// Folds of the next race; searches that hide other folds share most of them. With one split, all:
// they cost one training run together.
std::vector<std::size_t> AutoSearch::quick_folds() const {
  if (judging_.splits() == 1) return visible_;
  std::vector<std::size_t> out;
  for (std::size_t k = 0; k < judging_.folds() && out.size() < kQuickFolds; ++k) {
    const std::size_t fold = (rounds_ + k) % judging_.folds();
    if (std::find(visible_.begin(), visible_.end(), fold) != visible_.end()) out.push_back(fold);
  }
  return out;
}

// Whether a learner with its defaults is worth judging, by a part of the queries.
bool AutoSearch::keeps_up(const Candidate& candidate, const Pace& pace, Context& context) {
  const Candidate flagship{order_[0], 0};
  if (plan_.share == 1 || candidate == flagship) return true;
  const std::vector<std::size_t> quick = quick_folds();
  require({flagship}, quick, plan_.share, pace, context);
  require({candidate}, quick, plan_.share, pace, context);
  const auto best = values(flagship, quick, plan_.share);
  const auto mine = values(candidate, quick, plan_.share);
  return !mine.empty() && (best.empty() || !is_clearly_worse(best, mine, kHopeless));
}

void AutoSearch::try_defaults(std::size_t limit, const Pace& pace, Context& context) {
  while (defaults_ < order_.size()) {
    if (limit > 0 && trials_ >= limit) return;
    if (pace.go_on && !pace.go_on(Step::another_default, trials_)) return;
    const std::size_t f = order_[defaults_];
    if (keeps_up({f, 0}, pace, context)) judge({{f, 0}}, pace, context);
    families_[f].trials = 1;
    ++defaults_;
    ++trials_;
  }
}

// Trials go where weight / (cost × trials so far) is largest.
std::vector<Candidate> AutoSearch::choose_round(std::size_t most) {
  const std::vector<JudgedCandidate> order = leaders();
  std::vector<Candidate> round;
  while (round.size() < most) {
    std::optional<std::size_t> chosen;
    double lowest = 0;
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
      const std::size_t f = order[rank].candidate.family;
      if (families_[f].next_point >= candidates_.points(f)) continue;
      const double cost = plan_.costs.empty() ? 1 : plan_.costs[f];
      const double load =
          cost * static_cast<double>(families_[f].trials) * static_cast<double>(1 + rank);
      if (!chosen || load < lowest) {
        chosen = f;
        lowest = load;
      }
    }
    if (!chosen) break;
    Family& family = families_[*chosen];
    round.push_back({*chosen, family.next_point++});
    ++family.trials;
  }
  return round;
}

std::vector<Candidate> AutoSearch::survivors(const std::vector<Candidate>& round,
                                             const std::vector<std::size_t>& folds, int share,
                                             const Pace& pace, Context& context) {
  std::vector<Candidate> with_leaders = round;
  for (const Candidate& candidate : round)
    with_leaders.push_back(families_[candidate.family].best->candidate);
  require(with_leaders, folds, share, pace, context);
  std::vector<Candidate> out;
  for (const Candidate& candidate : round) {
    const auto mine = value(candidate, folds, share);
    const auto leader = value(families_[candidate.family].best->candidate, folds, share);
    if (mine && (!leader || *mine > *leader)) out.push_back(candidate);
  }
  return out;
}

void AutoSearch::run_round(std::vector<Candidate> round, const Pace& pace, Context& context) {
  const std::vector<std::size_t> quick = quick_folds();
  if (plan_.share > 1) round = survivors(round, quick, plan_.share, pace, context);
  round = survivors(round, quick, 1, pace, context);
  judge(round, pace, context);
  ++rounds_;
}

void AutoSearch::run(std::size_t limit, const Pace& pace, Context& context) {
  try_defaults(limit, pace, context);
  const auto wanted = [&] {
    const bool in_time = !pace.go_on || pace.go_on(Step::another_round, trials_);
    return limit == 0 ? in_time : trials_ < limit;
  };
  while (defaults_ == order_.size() && wanted()) {
    const auto before = families_;
    const std::vector<Candidate> round = choose_round(
        limit == 0 ? plan_.round_trials : std::min(plan_.round_trials, limit - trials_));
    if (round.empty()) return;
    try {
      run_round(round, pace, context);
    } catch (const Error&) {  // the round has judged nothing
      families_ = before;
      throw;
    }
    trials_ += round.size();
  }
}

std::vector<JudgedCandidate> AutoSearch::leaders() const {
  std::vector<JudgedCandidate> out;
  for (const Family& family : families_)
    if (family.best) out.push_back(*family.best);
  std::stable_sort(out.begin(), out.end(), [](const JudgedCandidate& a, const JudgedCandidate& b) {
    return a.value > b.value;
  });
  return out;
}

}  // namespace podium

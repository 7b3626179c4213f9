#include "experiments/automatic/search.h"

#include <algorithm>
#include <cmath>

namespace podium {
namespace {

constexpr std::size_t kRoundTrials = 4;  // a constant: the number of threads must not matter
constexpr std::size_t kQuickFolds = 2;
constexpr std::size_t kManyQueries = 1000;  // of a split's training part: a share is tried first
constexpr int kQuickShare = 4;

}  // namespace

AutoSearch::AutoSearch(const CandidateTable& candidates, const Judging& judging,
                       TrainedCells& cells, std::vector<std::size_t> visible)
    : candidates_(candidates),
      judging_(judging),
      cells_(cells),
      visible_(std::move(visible)),
      families_(candidates.families()) {}

void AutoSearch::require(const std::vector<Candidate>& round, const std::vector<std::size_t>& folds,
                         int share, Context& context) {
  std::vector<CellAt> wanted;
  for (const Candidate& candidate : round)
    for (const std::size_t split : judging_.splits_of(folds))
      wanted.push_back({candidate, split, share});
  cells_.require(wanted, context);
}

std::optional<double> AutoSearch::value(const Candidate& candidate,
                                        const std::vector<std::size_t>& folds, int share) const {
  double sum = 0, weight = 0;
  for (const std::size_t query : judging_.queries(folds)) {
    const auto [split, place] = judging_.place(query);
    const TrainedCell& cell = cells_.at({candidate, split, share});
    if (cell.status != TrainedCell::Status::done) return {};
    const double value = cell.per_query[place];
    if (std::isnan(value)) continue;
    sum += judging_.data().query_weight(query) * value;
    weight += judging_.data().query_weight(query);
  }
  return weight > 0 ? std::optional(sum / weight) : std::nullopt;
}

void AutoSearch::judge(const std::vector<Candidate>& round, Context& context) {
  require(round, visible_, 1, context);
  for (const Candidate& candidate : round) {
    const auto found = value(candidate, visible_, 1);
    if (!found) continue;
    judged_.push_back({candidate, *found});
    auto& best = families_[candidate.family].best;
    if (!best || *found > best->value) best = judged_.back();
  }
}

void AutoSearch::try_defaults(std::size_t limit, const GoOn& go_on, Context& context) {
  for (std::size_t f = 0; f < families_.size(); ++f) {
    if (limit > 0 && trials_ >= limit) return;
    judge({{f, 0}}, context);
    families_[f].trials = 1;
    ++trials_;
    if (!go_on(trials_) && limit == 0) return;
  }
}

// Trials go where weight / (trials so far) is largest.
std::vector<Candidate> AutoSearch::choose_round(std::size_t most) {
  const std::vector<JudgedCandidate> order = leaders();
  std::vector<Candidate> round;
  while (round.size() < most) {
    std::optional<std::size_t> chosen;
    double lowest = 0;
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
      const std::size_t f = order[rank].candidate.family;
      if (families_[f].next_point >= candidates_.points(f)) continue;
      const double load = static_cast<double>(families_[f].trials) * static_cast<double>(1 + rank);
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
                                             Context& context) {
  std::vector<Candidate> with_leaders = round;
  for (const Candidate& candidate : round)
    with_leaders.push_back(families_[candidate.family].best->candidate);
  require(with_leaders, folds, share, context);
  std::vector<Candidate> out;
  for (const Candidate& candidate : round) {
    const auto mine = value(candidate, folds, share);
    const auto leader = value(families_[candidate.family].best->candidate, folds, share);
    if (mine && (!leader || *mine > *leader)) out.push_back(candidate);
  }
  return out;
}

void AutoSearch::run_round(std::vector<Candidate> round, Context& context) {
  std::vector<std::size_t> quick;
  for (std::size_t k = 0; k < std::min(kQuickFolds, visible_.size()); ++k)
    quick.push_back(visible_[(rounds_ + k) % visible_.size()]);
  ++rounds_;
  if (judging_.split(judging_.split_of(quick[0])).data().train.queries() >= kManyQueries)
    round = survivors(round, quick, kQuickShare, context);
  round = survivors(round, quick, 1, context);
  judge(round, context);
}

void AutoSearch::run(std::size_t limit, const GoOn& go_on, Context& context) {
  try_defaults(limit, go_on, context);
  while ((limit == 0 ? go_on(trials_) : trials_ < limit)) {
    const std::vector<Candidate> round =
        choose_round(limit == 0 ? kRoundTrials : std::min(kRoundTrials, limit - trials_));
    if (round.empty()) return;
    run_round(round, context);
    trials_ += round.size();
    if (limit > 0) go_on(trials_);
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

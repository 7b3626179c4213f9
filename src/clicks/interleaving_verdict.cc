// Which of two rankers is preferred: see podium/interleaving.h.
#include <algorithm>

#include "clicks/interleaving_tally.h"
#include "core/math_functions.h"
#include "core/random.h"
#include "experiments/statistics/incomplete_beta.h"

namespace podium {
namespace {

constexpr int kBets = 20;  // λ = ±k/(kBets + 1)
constexpr std::size_t kDraws = 2000;

Interval cluster_interval(const InterleavingTally::Outcomes& by_query, Context& context) {
  std::vector<std::pair<double, double>> clusters;  // Σ outcomes, sessions
  for (const auto& [query, sums] : by_query) clusters.push_back(sums);
  std::vector<double> means(kDraws);
  parallel_for(context.pool, kDraws, 32, [&](std::size_t begin, std::size_t end) {
    for (std::size_t r = begin; r < end; ++r) {
      Random random(context.seed, r);
      double sum = 0, count = 0;
      for (std::size_t i = 0; i < clusters.size(); ++i) {
        const auto& [outcomes, sessions] = clusters[random.below(clusters.size())];
        sum += outcomes;
        count += sessions;
      }
      means[r] = sum / count;
    }
  });
  std::sort(means.begin(), means.end());
  return {means[kDraws / 40], means[kDraws - 1 - kDraws / 40]};
}

double sign_test_p(std::size_t wins, std::size_t losses) {
  if (wins + losses == 0) return 1;
  const auto more = static_cast<double>(std::max(wins, losses));
  const auto fewer = static_cast<double>(std::min(wins, losses));
  return std::min(1.0, 2 * regularised_incomplete_beta(more, fewer + 1, 0.5, 0.5));
}

}  // namespace

SequentialTest::SequentialTest() {
  for (int k = 0; k < 2 * kBets; ++k) {
    const double size = static_cast<double>(k / 2 + 1) / (kBets + 1);
    const double bet = k % 2 ? -size : size;
    log_win_.push_back(math::log1p(bet));
    log_loss_.push_back(math::log1p(-bet));
  }
}

double SequentialTest::evidence() const {
  const auto wealth = [&](std::size_t k) { return wins_ * log_win_[k] + losses_ * log_loss_[k]; };
  double largest = wealth(0), sum = 0;
  for (std::size_t k = 1; k < log_win_.size(); ++k) largest = std::max(largest, wealth(k));
  for (std::size_t k = 0; k < log_win_.size(); ++k) sum += math::exp(wealth(k) - largest);
  return math::exp(largest + math::log(sum / (2 * kBets)));
}

double SequentialTest::add(int winner) {
  if (winner == 0) return p_;
  (winner > 0 ? wins_ : losses_) += 1;
  p_ = std::min(p_, 1 / evidence());
  return p_;
}

void InterleavingTally::add(std::string_view query, int winner) {
  verdict_.sessions += 1;
  (winner > 0 ? verdict_.a_wins : winner < 0 ? verdict_.b_wins : verdict_.ties) += 1;
  auto found = by_query_.find(query);
  if (found == by_query_.end()) found = by_query_.emplace(query, std::pair(0.0, 0.0)).first;
  found->second.first += winner;
  found->second.second += 1;
  verdict_.sequential_p = test_.add(winner);
  if (!verdict_.decided_after && verdict_.sequential_p <= alpha_)
    verdict_.decided_after = verdict_.sessions;
}

InterleavingVerdict InterleavingTally::verdict(Context& context) const {
  InterleavingVerdict verdict = verdict_;
  verdict.queries = by_query_.size();
  if (verdict.sessions == 0) return verdict;
  verdict.preference = (static_cast<double>(verdict.a_wins) - static_cast<double>(verdict.b_wins)) /
                       static_cast<double>(verdict.sessions);
  verdict.interval = cluster_interval(by_query_, context);
  verdict.sign_p = sign_test_p(verdict.a_wins, verdict.b_wins);
  return verdict;
}

InterleavingVerdict analyse_interleaving(std::span<const InterleavedOutcome> outcomes,
                                         Context& context, double alpha) {
  InterleavingTally tally(alpha);
  for (const InterleavedOutcome& one : outcomes) tally.add(one.query, one.winner);
  return tally.verdict(context);
}

}  // namespace podium

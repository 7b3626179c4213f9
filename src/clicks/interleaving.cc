#include "podium/interleaving.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/math_functions.h"
#include "core/random.h"

namespace podium {
namespace {

constexpr int kBets = 20;  // λ = ±k/(kBets + 1)
constexpr std::size_t kDraws = 2000;

// A ranking from which documents are taken.
class Team {
 public:
  explicit Team(std::span<const std::string> ranking) : ranking_(ranking) {}

  // The best document that is not taken; null if there is none.
  const std::string* best(const std::set<std::string_view>& taken) const {
    for (const std::string& document : ranking_)
      if (!taken.contains(document)) return &document;
    return nullptr;
  }
  // One drawn in proportion to 1/rank³ among those not taken.
  const std::string* drawn(const std::set<std::string_view>& taken, Random& random) const {
    double total = 0;
    for (std::size_t r = 0; r < ranking_.size(); ++r)
      if (!taken.contains(ranking_[r])) total += odds(r);
    double at = random.uniform() * total;
    const std::string* last = nullptr;
    for (std::size_t r = 0; r < ranking_.size(); ++r) {
      if (taken.contains(ranking_[r])) continue;
      last = &ranking_[r];
      at -= odds(r);
      if (at < 0) break;
    }
    return last;
  }

 private:
  static double odds(std::size_t r) {
    const auto rank = static_cast<double>(r + 1);
    return 1 / (rank * rank * rank);
  }
  std::span<const std::string> ranking_;
};

Interval cluster_interval(const std::map<std::string, std::pair<double, double>>& by_query,
                          Context& context) {
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

}  // namespace

const Choices<Interleaving>& interleavings() {
  static const Choices<Interleaving> names = {{"team-draft", Interleaving::team_draft},
                                              {"probabilistic", Interleaving::probabilistic}};
  return names;
}

std::vector<InterleavedDocument> interleave(std::span<const std::string> a,
                                            std::span<const std::string> b, Interleaving method,
                                            std::size_t depth, std::uint64_t seed,
                                            const std::string& session, const std::string& query) {
  Random random(mix(seed, hash_text(session)), hash_text(query));
  const Team teams[2] = {Team(a), Team(b)};
  std::vector<InterleavedDocument> list;
  std::set<std::string_view> taken;
  const auto full = [&] { return depth > 0 && list.size() >= depth; };
  const auto pick = [&](std::size_t team) {
    const std::string* const document = method == Interleaving::team_draft
                                            ? teams[team].best(taken)
                                            : teams[team].drawn(taken, random);
    if (!document) return false;
    taken.insert(*document);
    list.push_back({*document, team == 0 ? Owner::a : Owner::b});
    return true;
  };
  while (!full()) {
    const std::size_t first = random.below(2);
    const bool one = pick(first);
    // A place at a time, or a round of both; a team without documents passes.
    const bool two =
        !one || method == Interleaving::team_draft ? !full() && pick(1 - first) : false;
    if (!one && !two) break;
  }
  return list;
}

SequentialTest::SequentialTest() : log_wealth_(2 * kBets, 0.0) {}

double SequentialTest::evidence() const {
  const double largest = *std::max_element(log_wealth_.begin(), log_wealth_.end());
  double sum = 0;
  for (const double wealth : log_wealth_) sum += math::exp(wealth - largest);
  return math::exp(largest + math::log(sum / (2 * kBets)));
}

double SequentialTest::add(int winner) {
  if (winner == 0) return p_;
  for (int k = 0; k < 2 * kBets; ++k) {
    const double size = static_cast<double>(k / 2 + 1) / (kBets + 1);
    const double bet = k % 2 ? -size : size;
    log_wealth_[static_cast<std::size_t>(k)] += math::log1p(bet * winner);
  }
  p_ = std::min(p_, 1 / evidence());
  return p_;
}

InterleavingVerdict analyse_interleaving(std::span<const InterleavedOutcome> outcomes,
                                         Context& context) {
  InterleavingVerdict verdict;
  std::map<std::string, std::pair<double, double>> by_query;
  SequentialTest test;
  std::vector<double> signs;
  for (const InterleavedOutcome& one : outcomes) {
    verdict.sessions += 1;
    (one.winner > 0 ? verdict.a_wins : one.winner < 0 ? verdict.b_wins : verdict.ties) += 1;
    auto& [sum, count] = by_query[one.query];
    sum += one.winner;
    count += 1;
    verdict.sequential_p = test.add(one.winner);
    signs.push_back(one.winner);
  }
  verdict.queries = by_query.size();
  if (outcomes.empty()) return verdict;
  verdict.preference = (static_cast<double>(verdict.a_wins) - static_cast<double>(verdict.b_wins)) /
                       static_cast<double>(verdict.sessions);
  verdict.interval = cluster_interval(by_query, context);
  const std::vector<double> zeros(signs.size(), 0.0);
  verdict.sign_p = sign_test(paired_differences(signs, zeros)).p.value_or(1);
  return verdict;
}

}  // namespace podium

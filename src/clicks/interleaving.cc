#include "podium/interleaving.h"

#include <algorithm>
#include <set>

#include "clicks/team_draft-inl.h"
#include "core/random.h"

namespace podium {
namespace {

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

}  // namespace

const Choices<Interleaving>& interleavings() {
  static const Choices<Interleaving> names = {{"team-draft", Interleaving::team_draft},
                                              {"probabilistic", Interleaving::probabilistic}};
  return names;
}

const OptionTable<InterleavingOptions>& interleaving_option_table() {
  static const auto options =
      OptionTable<InterleavingOptions>()
          .add("method", &InterleavingOptions::method,
               "team-draft: the rankers take turns, in an order by coin; probabilistic: each place "
               "goes to a ranker by coin, which draws a document by 1/rank^3",
               interleavings())
          .add("depth", &InterleavingOptions::depth, "documents per list; 0: all", at_least(0));
  return options;
}

std::vector<InterleavedDocument> interleave(std::span<const std::string> a,
                                            std::span<const std::string> b, Interleaving method,
                                            std::size_t depth, std::uint64_t seed,
                                            const std::string& session, const std::string& query) {
  Random random(mix(seed, hash_text(session)), hash_text(query));
  const Team teams[2] = {Team(a), Team(b)};
  std::vector<InterleavedDocument> list;
  std::set<std::string_view> taken;
  const auto coin = [&] { return static_cast<std::size_t>(random.below(2)); };
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
  if (method == Interleaving::team_draft)
    draft_by_rounds(coin, pick, full);
  else
    draft_by_places(coin, pick, full);
  return list;
}

std::vector<InterleavedDocument> InterleavedRankers::list(const std::string& session,
                                                          const std::string& query,
                                                          std::size_t depth) const {
  return interleave(a.find(query)->second, b.find(query)->second, method, depth, seed, session,
                    query);
}

}  // namespace podium

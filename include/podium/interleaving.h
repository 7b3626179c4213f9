// Interleaving: two rankers answer the same query with one list, and clicks say which is preferred.
//
//   team-draft     [Radlinski08] in each round a coin decides which ranker picks first; each adds
//                  its best document that is not yet in the list, and owns it
//   probabilistic  [Hofmann11] each place is given to a ranker by a coin, which draws a document
//                  from a softmax over its ranks, P(d) ∝ 1/rank³, without replacement
// Lists depend only on (seed, session, query) and the rankings, so a log can be checked later. A
// shorter list is the beginning of a longer one.
//
// A session's outcome is the sign of (clicks on a's documents − clicks on b's). The verdict has the
// mean outcome with a cluster bootstrap by query, a sign test, and a p-value that stays valid if
// one looks after every session: for the outcomes x_t = ±1 that are not ties, the mixture
// martingale M_n = ∫ Π (1 + λ x_t) dF(λ), F uniform on a grid of [−1, 1], has mean 1 if neither is
// preferred, so P(sup M_n ≥ 1/α) ≤ α [Ville], and p_n = min_{t ≤ n} 1/M_t.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "podium/context.h"
#include "podium/options.h"
#include "podium/significance.h"
#include "podium/trec.h"

namespace podium {

enum class Interleaving { team_draft, probabilistic };
const Choices<Interleaving>& interleavings();

enum class Owner : std::uint8_t { a, b };
struct InterleavedDocument {
  std::string document;
  Owner owner = Owner::a;
};
// The first `depth` documents (0: all) of the list of one session.
std::vector<InterleavedDocument> interleave(std::span<const std::string> a,
                                            std::span<const std::string> b, Interleaving method,
                                            std::size_t depth, std::uint64_t seed,
                                            const std::string& session, const std::string& query);

// The documents of each topic of a run, ranked as trec_eval does.
using Rankings = std::map<std::string, std::vector<std::string>, std::less<>>;
Rankings rankings_of(const TrecFile& run);

struct InterleavingOptions {
  Interleaving method = Interleaving::team_draft;
  std::int64_t depth = 10;  // documents per list; 0: all
};
const OptionTable<InterleavingOptions>& interleaving_option_table();

// The lists of two rankers, by session and query.
struct InterleavedRankers {
  Rankings a, b;
  Interleaving method = Interleaving::team_draft;
  std::uint64_t seed = 1;

  bool has(std::string_view query) const { return a.contains(query) && b.contains(query); }
  // Of a query that both rank.
  std::vector<InterleavedDocument> list(const std::string& session, const std::string& query,
                                        std::size_t depth) const;
};

// Which lists to make: lines `session qid` of a TSV or CSV file with a header.
struct SessionOfQuery {
  std::string session, query;
};
std::vector<SessionOfQuery> read_session_list(const std::string& path, Context& context);

// Writes the lists as TSV: session, qid, docid, position, owner (a or b). With a column `click` it
// is a click log. Returns the number of lines. Throws a data Error if a query is not in both.
std::uint64_t write_interleaved(const InterleavedRankers& rankers,
                                std::span<const SessionOfQuery> sessions, std::size_t depth,
                                const std::string& path, Context& context);

struct InterleavedOutcome {
  std::string query;
  int winner = 0;  // 1: a, −1: b, 0: a tie
};
struct InterleavingVerdict {
  std::size_t sessions = 0, a_wins = 0, b_wins = 0, ties = 0, queries = 0;
  double preference = 0;  // mean outcome: 1 if a always wins
  Interval interval;      // 95 %, bootstrap of queries with all their sessions
  double sign_p = 1;      // two-sided
  double sequential_p = 1;
  std::optional<std::size_t> decided_after;  // sessions until sequential_p was at most alpha
  std::uint64_t bots = 0;                    // sessions dropped for too many clicks
  std::uint64_t all_clicked = 0;             // sessions of 5 or more documents, every one clicked
};
// Outcomes in the order of the sessions.
InterleavingVerdict analyse_interleaving(std::span<const InterleavedOutcome> outcomes,
                                         Context& context, double alpha = 0.05);

// The verdict of a click log (click_log.h) in the order of its sessions, read once. Owners are in
// the column `owner` (a, b, or empty for documents of neither), or those of `rankers`: with both
// the log must be what the rankers show, as far as it goes. Sessions with more than `max_clicks`
// clicks are left out (0: none). Throws an Error with file and line, also if a session begins
// before the one above: the p-value depends on their order.
InterleavingVerdict analyse_interleaved_log(const std::string& path,
                                            const InterleavedRankers* rankers, double alpha,
                                            Context& context, std::int64_t max_clicks = 0);

// The p-value that is valid at any time, after each of these outcomes.
class SequentialTest {
 public:
  SequentialTest();
  double add(int winner);   // returns p so far
  double evidence() const;  // M so far
 private:
  std::vector<double> log_win_, log_loss_;  // of each λ: what a win and a loss add to log wealth
  double wins_ = 0, losses_ = 0;
  double p_ = 1;
};

}  // namespace podium

// The population that synthetic data is drawn from: traits, quality, grades, clicks. Uses only + −
// × ÷ √ and comparisons of doubles, which are rounded the same everywhere, so every machine draws
// the same.
//
// A query has a kind (0 or 1) and an ease e; a document has independent traits z0 … z9, nearly
// standard normal. Its quality, with noise n, is
//   u = 0.8 z0 + 0.55 z1 + 0.4 z2 + 0.25 z3        what a linear model can learn
//     + 1.8 / (1 + 2 z4²)                          a bump: best in the middle
//     + 0.8 z5 z6                                  an interaction without main effects
//     + 0.7 z7 where z0 > 0.3                      a gate
//     + 0.7 z8 (kind 0) or 0.7 z9 (kind 1)         what matters depends on the query
//     + 0.4 e + 0.6 n
// and its grade is the number of thresholds below u. The thresholds are quantiles of a fixed sample
// of the population, so that grades have the desired frequencies.
#pragma once

#include <array>
#include <vector>

#include "core/random.h"
#include "podium/synthetic.h"

namespace podium {

inline constexpr int kTraits = 10;

// Nearly standard normal: the sum of four uniforms, scaled; within ±3.47.
double draw_normal(Random& random);

struct SyntheticQuery {
  int kind = 0;
  int length = 1;  // words, 1 … 8
  double ease = 0;
};
SyntheticQuery draw_query(Random& random);

struct SyntheticDocument {
  std::array<double, kTraits> trait;
  double quality = 0;
};
SyntheticDocument draw_document(const SyntheticQuery& query, Random& random);

// The options with the preset's defaults filled in, checked.
SyntheticOptions resolve(const SyntheticOptions& options);

// How many documents the query has.
std::size_t draw_list_length(const SyntheticOptions& resolved, Random& random);

// Ascending; resolved.grades − 1 of them.
std::vector<double> grade_thresholds(const SyntheticOptions& resolved);

// A past user's session: documents shown in the order of an older ranker (z0 and z1 with noise),
// examined with probability 1 / position, clicked when examined with probability 0.1 + 0.9 (2^grade
// − 1) / (2^(grades − 1) − 1).
struct Session {
  std::vector<std::int32_t> positions;  // from 1
  std::vector<char> clicked;
};
Session draw_session(const std::vector<SyntheticDocument>& documents,
                     const std::vector<int>& document_grades, std::int64_t grades, Random& random);

// The host of each document, from 0: documents sorted by quality plus standard normal noise,
// divided at hosts − 1 different random positions. So the sizes of hosts vary widely, and documents
// of one host have similar quality. In a query with fewer documents than hosts, each document has
// its own host.
std::vector<std::size_t> draw_hosts(const std::vector<SyntheticDocument>& documents,
                                    std::int64_t hosts, Random& random);

}  // namespace podium

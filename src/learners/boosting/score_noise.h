// Noise on scores before they are ranked [Gulin11, Ustimenko20]: a loss that depends on the order
// of documents is averaged over orders that could be,
//
//   E L(s + σ g),   g Gumbel: sorting s/σ + g draws an order by Plackett and Luce,
//
// over a few draws per round. The gradient then also sees pairs that the scores keep far apart by
// chance, which regularises on small data. A draw is a hash of (seed, round, draw, document), so
// threads and ranks change no bit.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "podium/context.h"
#include "podium/dataset.h"

namespace podium {

class ScoreNoise {
 public:
  // The data is as the loss sees it: rows are in the order of their content.
  ScoreNoise(const Dataset& data, double scale, std::int64_t draws, Context& context);

  std::int64_t draws() const noexcept { return draws_; }
  // out_i = scores_i + noise, for the documents from `begin` on.
  void perturb(std::int64_t round, std::int64_t draw, std::size_t begin,
               std::span<const double> scores, std::span<double> out) const;

 private:
  double scale_;
  std::int64_t draws_;
  std::vector<std::uint64_t> keys_;  // one per document
};

}  // namespace podium

// Click logs with known truth: users look at the lists of a ranker and click as a click model says.
//
// A document of grade g is attractive with probability γ = noise + (1 − noise)(2^g − 1)/(2^max − 1),
// and position p is examined with probability θ_p = p^−η.
//   pbm      P(c) = θ_p γ
//   trust    P(c) = θ_p (ε⁺ γ + ε⁻_p (1 − γ)), ε⁺ = 0.98, ε⁻_p = 0.3/p
//   dbn      from the top: clicked with γ; then satisfied with γ; otherwise goes on with 0.9
//   cascade  from the top, until the first click
// Each session shows the first `depth` documents of a random query. In a share of them, `explore`,
// documents are moved by chance: two change places, or all are shuffled. Without any the log cannot
// tell positions from documents.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "podium/context.h"
#include "podium/dataset.h"
#include "podium/options.h"

namespace podium {

enum class SimulatedClicks { pbm, trust, dbn, cascade };
enum class Exploration { swap, shuffle };

struct SimulationOptions {
  SimulatedClicks click_model = SimulatedClicks::pbm;
  double eta = 1;
  double noise = 0.1;
  std::int64_t sessions = 100'000;
  std::int64_t depth = 10;
  double explore = 0.2;
  Exploration exploration = Exploration::swap;
};
const OptionTable<SimulationOptions>& simulation_option_table();

struct SimulationTruth {
  std::vector<double> propensities;   // θ_p; dbn and cascade: none
  std::vector<double> slope, offset;  // trust: a_p, b_p
  std::uint64_t lines = 0, clicks = 0;
};

// The attractiveness of each document.
std::vector<double> attractiveness(const Dataset& data, double noise);

// Writes the log. `scores`: the ranker's, one per document; ties are broken by a seeded hash. The
// same seed gives the same bytes for any number of threads.
SimulationTruth simulate_clicks(const Dataset& data, std::span<const double> scores,
                                const SimulationOptions& options, const std::string& path,
                                Context& context);

}  // namespace podium

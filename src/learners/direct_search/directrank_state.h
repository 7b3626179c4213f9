// The state of an unfinished directrank search between two rounds, including its climbs.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "learners/checkpoint/checkpointing.h"
#include "learners/direct_search/direct_search.h"
#include "learners/direct_search/starts.h"
#include "learners/early_stopping.h"

namespace podium {

struct Racer {
  std::int64_t start = 0;  // counted from 1
  EarlyStopping best = EarlyStopping();
  std::optional<Termination> termination = {};  // once it has ended
  std::vector<double> valid = {};               // the measures after its last round
  ClimbState climb = {};                        // in checkpoints
  template <class Archive, class Self>
  static void fields(Archive& archive, Self& self) {
    archive(self.start, self.best, self.termination, self.valid, self.climb);
  }
};

// The whole search between two rounds.
struct DirectRankState {
  Starts starts = {};
  // The current race: from the starts, then from a few kicks at a time.
  enum class Phase { starting, racing } phase = Phase::starting;
  std::vector<Racer> racers = {};
  std::int64_t round = 0;
  std::int64_t begun = 0, kicks = 0;  // climbs of all races, and those from kicks
  // The highest point on the training data, where kicks start.
  std::vector<double> highest = {};
  double height = 0;
  // The candidate to be returned.
  struct Chosen {
    std::int64_t iteration = 0;  // 0: none yet
    std::int64_t start = 0, round = 0;
    double value = 0;
    std::vector<double> weights = {};
  } chosen = {};
  Termination termination = Termination::converged;
  std::vector<Iteration> log = {};
  template <class Archive, class Self>
  static void fields(Archive& archive, Self& self) {
    archive(self.starts, self.phase, self.racers, self.round, self.begun, self.kicks, self.highest,
            self.height, self.chosen.iteration, self.chosen.start, self.chosen.round,
            self.chosen.value, self.chosen.weights, self.termination, self.log);
  }
};

}  // namespace podium

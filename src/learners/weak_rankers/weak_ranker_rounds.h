// The rounds of a booster that adds one weak ranker per round: until it converges, early stopping
// ends it, or the limit of rounds or time is reached; saves checkpoints.
#pragma once

#include <cstddef>
#include <cstdint>

#include "learners/checkpoint/checkpointing.h"
#include "learners/deadline.h"

namespace podium {

enum class WeakRankerRound { added, converged };

// State has `added` and `log`, one element per round, and `best`, an EarlyStopping. A stop request
// inside a round undoes the round.
template <class State, class AddRound>
Termination add_weak_rankers(State& state, std::int64_t rounds, const Deadline& deadline,
                             Context& context, AddRound&& add_round) {
  while (!state.best.should_stop() && static_cast<std::int64_t>(state.added.size()) < rounds) {
    if (const auto why = deadline.reached(context)) {
      keep(context, state, deadline);
      return *why;
    }
    try {
      if (add_round() == WeakRankerRound::converged) return Termination::converged;
    } catch (const Stopped&) {
      const auto rounds_done = static_cast<std::ptrdiff_t>(state.log.size());
      if (rounds_done == 0) throw;
      state.added.erase(state.added.begin() + rounds_done, state.added.end());
      return Termination::stopped;
    }
    keep_if_due(context, state, deadline);
  }
  return state.best.should_stop() ? Termination::early_stopping : Termination::iteration_limit;
}

}  // namespace podium

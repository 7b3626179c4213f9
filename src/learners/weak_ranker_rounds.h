// The rounds of a booster that adds one weak ranker each: until it converges, the validation data
// says stop, the rounds or the time are over; what it has is kept on the way.
#pragma once

#include <cstdint>

#include "learners/checkpointing.h"
#include "learners/deadline.h"

namespace podium {

enum class WeakRankerRound { added, converged };

// State has `added`, one a round, and `best`, an EarlyStopping.
template <class State, class AddRound>
Termination add_weak_rankers(State& state, std::int64_t rounds, const Deadline& deadline,
                             Context& context, AddRound&& add_round) {
  while (!state.best.should_stop() && static_cast<std::int64_t>(state.added.size()) < rounds) {
    if (const auto why = deadline.reached(context)) {
      keep(context, state, deadline);
      return *why;
    }
    if (add_round() == WeakRankerRound::converged) return Termination::converged;
    keep_if_due(context, state, deadline);
  }
  return state.best.should_stop() ? Termination::early_stopping : Termination::iteration_limit;
}

}  // namespace podium

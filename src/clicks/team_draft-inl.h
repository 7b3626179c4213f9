// The order in which two teams pick, for any source of coins.
#pragma once

#include <cstddef>

namespace podium {

// Team-draft: in each round coin() says which team picks first, 0 or 1. pick(team) adds a document
// to the list and returns false if the team has none left; full() ends the list.
template <class Coin, class Pick, class Full>
void draft_by_rounds(const Coin& coin, const Pick& pick, const Full& full) {
  while (!full()) {
    const std::size_t first = coin();
    const bool one = pick(first);
    const bool two = !full() && pick(1 - first);
    if (!one && !two) return;
  }
}

// One place at a time; a team without documents passes.
template <class Coin, class Pick, class Full>
void draft_by_places(const Coin& coin, const Pick& pick, const Full& full) {
  while (!full()) {
    const std::size_t team = coin();
    if (!pick(team) && !pick(1 - team)) return;
  }
}

}  // namespace podium

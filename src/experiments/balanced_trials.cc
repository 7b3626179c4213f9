// Each trial draws the queries that had the role least often so far, equals by lot; what the ban on
// two roles in one trial leaves uneven is evened out by exchanges within trials.
#include "experiments/balanced_trials.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "core/random.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr std::uint64_t kStream = 0x747269616C;  // "trial": streams of this purpose

enum class Role : std::uint8_t { test, train, valid };
using Roles = std::vector<Role>;  // one a query

// Gives `role` to `count` of the queries that only test, those that had it least often first.
void draw(Roles& roles, Role role, std::size_t count, std::vector<std::size_t>& times,
          Random& random) {
  std::vector<std::size_t> order;
  for (std::size_t q = 0; q < roles.size(); ++q)
    if (roles[q] == Role::test) order.push_back(q);
  random.shuffle(std::span(order));
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return times[a] < times[b]; });
  for (std::size_t k = 0; k < count; ++k) {
    roles[order[k]] = role;
    ++times[order[k]];
  }
}

// Moves a role from the query that has it most often to the one that has it least often, in a trial
// where the latter only tests, until they differ by one at most.
void even_out(std::vector<Roles>& trials, Role role, std::vector<std::size_t>& times) {
  for (;;) {
    const auto [least, most] = std::minmax_element(times.begin(), times.end());
    if (*most - *least <= 1) return;
    const auto from = static_cast<std::size_t>(most - times.begin());
    const auto to = static_cast<std::size_t>(least - times.begin());
    const auto trial = std::find_if(trials.begin(), trials.end(), [&](const Roles& roles) {
      return roles[from] == role && roles[to] == Role::test;
    });
    if (trial == trials.end()) return;
    std::swap((*trial)[from], (*trial)[to]);
    --*most;
    ++*least;
  }
}

// Hands validation from queries that test least often to queries that test most often, where that
// keeps the former even, until the times of testing differ by one at most.
void even_out_tests(std::vector<Roles>& trials, const std::vector<std::size_t>& trained,
                    std::vector<std::size_t>& validated) {
  const auto hand_over = [&](std::size_t from, std::size_t to) {
    if (validated[from] <= validated[to] ||
        trained[from] + validated[from] < trained[to] + validated[to] + 2)
      return false;
    for (Roles& roles : trials)
      if (roles[from] == Role::valid && roles[to] == Role::test) {
        std::swap(roles[from], roles[to]);
        --validated[from];
        ++validated[to];
        return true;
      }
    return false;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t from = 0; from < trained.size(); ++from)
      for (std::size_t to = 0; to < trained.size(); ++to) changed = hand_over(from, to) || changed;
  }
}

}  // namespace

std::vector<Fold> balanced_trials(std::size_t queries, const TrialSizes& sizes,
                                  std::uint64_t seed) {
  if (sizes.trials == 0 || sizes.train_queries == 0 || sizes.valid_queries == 0)
    throw Error(ErrorCode::usage, "trials need training and validation queries: at least 1 each");
  if (sizes.train_queries + sizes.valid_queries >= queries)
    throw Error(
        ErrorCode::usage,
        fmt::format("--train-queries {} and --valid-queries {} leave none of {} queries to test",
                    sizes.train_queries, sizes.valid_queries, queries));
  std::vector<Roles> trials(sizes.trials, Roles(queries, Role::test));
  std::vector<std::size_t> trained(queries), validated(queries);
  for (std::size_t t = 0; t < sizes.trials; ++t) {
    Random random(seed, kStream + t);
    draw(trials[t], Role::train, sizes.train_queries, trained, random);
    draw(trials[t], Role::valid, sizes.valid_queries, validated, random);
  }
  even_out(trials, Role::valid, validated);
  even_out_tests(trials, trained, validated);
  std::vector<Fold> folds(sizes.trials);
  for (std::size_t t = 0; t < sizes.trials; ++t)
    for (std::size_t q = 0; q < queries; ++q)
      (trials[t][q] == Role::train   ? folds[t].train
       : trials[t][q] == Role::valid ? folds[t].valid
                                     : folds[t].test)
          .push_back(q);
  return folds;
}

}  // namespace podium

// Each trial draws the queries that had the role least often so far, with random tie-breaking. A
// query cannot have two roles in one trial; the imbalance that remains because of this is removed
// by exchanges.
//
// Two queries may exchange their roles in a trial, and a path of such exchanges of the same two
// roles changes only how often its two ends have them. Let w = (times with role A) − (times with
// role B). An exchange along a path from a query with low w to one with high w lowers the sum of
// all squared times if the two differ by 3 or more; if none do, for every pair of roles, all
// queries have every role equally often, up to one.
#include "experiments/comparison/balanced_trials.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "core/counted.h"
#include "core/random.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr std::uint64_t kStream = 0x747269616C;  // "trial": the streams used here

enum class Role : std::uint8_t { test, train, valid };
using Roles = std::vector<Role>;  // one per query

// Gives `role` to `count` of the queries that only test, preferring those that had it least often.
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

std::vector<std::int64_t> times(const std::vector<Roles>& trials, Role role) {
  std::vector<std::int64_t> times(trials[0].size());
  for (const Roles& roles : trials)
    for (std::size_t q = 0; q < roles.size(); ++q) times[q] += roles[q] == role;
  return times;
}

// Two roles that queries exchange.
struct Exchange {
  Role give, take;
};

// The shortest paths of exchanges from a query that gives away one role for another.
class Paths {
 public:
  static constexpr std::size_t kNone = SIZE_MAX;

  Paths(std::vector<Roles>& trials, Exchange exchange, std::size_t from)
      : trials_(trials), exchange_(exchange), steps_(trials[0].size()) {
    std::vector<char> seen(trials.size());
    steps_[from].depth = 0;
    reached_.push_back(from);
    for (std::size_t i = 0; i < reached_.size(); ++i)
      for (std::size_t t = 0; t < trials.size(); ++t)
        if (!seen[t] && trials[t][reached_[i]] == exchange.give) {
          seen[t] = true;
          visit(t, reached_[i]);
        }
  }

  const std::vector<std::size_t>& reached() const noexcept { return reached_; }
  std::size_t depth(std::size_t query) const noexcept { return steps_[query].depth; }

  void follow(std::size_t to) {
    for (; steps_[to].depth > 0; to = steps_[to].from)
      std::swap(trials_[steps_[to].trial][steps_[to].from], trials_[steps_[to].trial][to]);
  }

 private:
  struct Step {
    std::size_t depth = kNone, from = 0, trial = 0;
  };
  void visit(std::size_t trial, std::size_t from) {
    for (std::size_t q = 0; q < steps_.size(); ++q)
      if (steps_[q].depth == kNone && trials_[trial][q] == exchange_.take) {
        steps_[q] = {steps_[from].depth + 1, from, trial};
        reached_.push_back(q);
      }
  }

  std::vector<Roles>& trials_;
  Exchange exchange_;
  std::vector<Step> steps_;
  std::vector<std::size_t> reached_;
};

// Exchanges between queries with low and high w, each of which changes w by `change`, until no path
// leads from one query to another that is higher by more than that. Returns whether there were any.
bool even_out(std::vector<Roles>& trials, Exchange exchange, std::vector<std::int64_t> w,
              std::int64_t change) {
  bool any = false;
  std::vector<char> settled(w.size());
  for (;;) {
    std::size_t from = w.size();
    for (std::size_t q = 0; q < w.size(); ++q)
      if (!settled[q] && (from == w.size() || w[q] < w[from])) from = q;
    if (from == w.size() || *std::max_element(w.begin(), w.end()) <= w[from] + change) return any;
    Paths paths(trials, exchange, from);
    const auto before = [&](std::size_t a, std::size_t b) {  // the highest first, then the nearest
      return std::tuple(-w[a], paths.depth(a), a) < std::tuple(-w[b], paths.depth(b), b);
    };
    const std::size_t to =
        *std::min_element(paths.reached().begin(), paths.reached().end(), before);
    if (w[to] <= w[from] + change) {  // so are all it reaches: none is lower
      for (const std::size_t q : paths.reached()) settled[q] = true;
      continue;
    }
    paths.follow(to);
    w[from] += change;
    w[to] -= change;
    any = true;
    std::fill(settled.begin(), settled.end(), false);
  }
}

void even_out(std::vector<Roles>& trials) {
  std::vector<std::int64_t> validated = times(trials, Role::valid);
  for (std::int64_t& t : validated) t = -t;
  even_out(trials, {Role::valid, Role::test}, validated, 1);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Exchange exchange : {Exchange{Role::valid, Role::test},
                                    {Role::train, Role::test},
                                    {Role::valid, Role::train}}) {
      std::vector<std::int64_t> w = times(trials, exchange.take);
      const std::vector<std::int64_t> given = times(trials, exchange.give);
      for (std::size_t q = 0; q < w.size(); ++q) w[q] -= given[q];
      changed = even_out(trials, exchange, w, 2) || changed;
    }
  }
}

}  // namespace

std::vector<Fold> balanced_trials(std::size_t queries, const TrialSizes& sizes,
                                  std::uint64_t seed) {
  if (sizes.trials == 0 || sizes.train_queries == 0 || sizes.valid_queries == 0)
    throw Error(ErrorCode::usage, "trials need training and validation queries: at least 1 each");
  if (sizes.train_queries + sizes.valid_queries >= queries)
    throw Error(ErrorCode::usage,
                fmt::format("‹train-queries {}› and ‹valid-queries {}› leave none of {} to test",
                            sizes.train_queries, sizes.valid_queries, counted(queries, "query")));
  std::vector<Roles> trials(sizes.trials, Roles(queries, Role::test));
  std::vector<std::size_t> trained(queries), validated(queries);
  for (std::size_t t = 0; t < sizes.trials; ++t) {
    Random random(seed, kStream + t);
    draw(trials[t], Role::train, sizes.train_queries, trained, random);
    draw(trials[t], Role::valid, sizes.valid_queries, validated, random);
  }
  even_out(trials);
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

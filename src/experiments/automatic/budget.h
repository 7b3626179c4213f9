// How `auto` spends a given time. One training run of the flagship is measured first; from its
// seconds follows how candidates are judged:
//   folds       one training run per fold, if the flagship's and its final one fit well
//   first fold  one training run per candidate, judged on the first fold, otherwise
//   quarter     whether candidates race on a quarter of the queries first
// Then time is kept for what must follow (the members trained on all data, the weights, the
// estimate), from what was measured so far, and each candidate may use a part of the rest.
// Everything here is a function of seconds that are given to it, so tests need no clock.
#pragma once

#include <cstddef>
#include <vector>

namespace podium {

// What the clock may decide about a search; a replay needs it.
struct SearchPlan {
  bool first_fold = false;  // candidates are judged on the first fold alone
  int share = 1;            // candidates race on 1 / share of the queries first; 1: they do not
  std::size_t round_trials = 4;  // of the rounds after the defaults
  // What a trial of each family costs: it gets so many times fewer. Empty: all cost the same.
  std::vector<int> costs = {};
  bool operator==(const SearchPlan&) const = default;
};

class Budget {
 public:
  struct Setting {
    double seconds = 0;  // for everything
    std::size_t threads = 1, splits = 1, folds = 5, families = 1;
  };
  explicit Budget(const Setting& setting) : setting_(setting) {}

  // Of the flagship's first training run, which uses all threads.
  double first_limit() const;
  // What that run tells. `cut`: it did not come to its end; `can_take_first_fold`: the first fold
  // has enough queries to judge by; `can_share`: a quarter of the training queries is enough to
  // race.
  struct FirstRun {
    double seconds = 0;
    bool cut = false, can_take_first_fold = true, can_share = true;
  };
  SearchPlan plan(const FirstRun& first);

  // What must follow the search, in seconds with all threads, as far as it is known.
  struct Needs {
    double refits = 0;          // of the members as they are now
    double fold_refits = 0;     // for an estimate, likewise; 0: they take too long
    double weights = 0;         // one fit of a blend's weights; 0: not known yet
    double rounds = 0;          // spent on rounds so far: the estimate repeats a part of it
    double estimate_share = 1;  // of these
  };
  double reserve(const Needs& needs) const;
  // Of the members on all folds but one, for each fold, if that is a small part of the time; else
  // 0.
  double fold_refits(double refits) const;
  // Left for the search; not negative.
  double left(double now, const Needs& needs) const;
  // Thread-seconds for each of this many training runs of one candidate, so that they and the final
  // one leave most of the time to others.
  double run_limit(double now, const Needs& needs, std::size_t runs) const;
  // Whether another candidate with its defaults, or a round that takes about so long, fits.
  bool another_default_fits(double now, const Needs& needs) const;
  bool round_fits(double now, const Needs& needs, double round_seconds) const;
  // When the estimate must be finished.
  double estimate_end(double refits) const;
  // Whether what is left after an estimate is worth searching on.
  bool search_on(double now, const Needs& needs, double round_seconds) const;

  const Setting& setting() const noexcept { return setting_; }

 private:
  Setting setting_;
};

}  // namespace podium

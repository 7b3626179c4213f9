// Tuning: looks for the options of a learner that give the highest value on the validation data,
// over the ranges that the learner declares (Field::search). The first trial has the defaults and
// stays in the race, so tuning never chooses what is worse on the validation data than not tuning.
//
//   latin-hypercube      all trials are trained on all training queries
//   successive-halving   all are trained on a small share of the queries, the better half on twice
//                        as many, and so on; those of the last stage saw all [Jamieson16]
//
// Knows nothing of training: a trial is a call. Results do not depend on the number of threads.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "podium/context.h"
#include "podium/experiment.h"
#include "podium/options.h"

namespace podium {

struct TuningPlan {
  std::size_t trials = 10;  // candidates, the defaults among them
  SearchMethod method = SearchMethod::latin_hypercube;
};

struct Trial {
  Assignments options;          // that differ from the fixed ones and the defaults
  std::optional<double> value;  // none: it failed
  std::string message;          // why
  int stage = 1;
  double share = 1;  // of the training queries
};

struct Tuned {
  std::vector<Trial> trials;  // in order, stage after stage
  std::size_t best = 0;       // of the trials on all queries; the first of equals
};

// The fields to tune: those with a range that are not fixed.
std::vector<const Field*> search_space(const std::vector<Field>& fields, const Settings& fixed);

// The value on the validation data of options trained on a share of the queries.
using RunTrial = std::function<double(const Assignments& options, double share)>;

// Trials run in the pool. A trial that throws an Error or gives NaN failed; when all that count
// did, the first one's Error is thrown on. `queries`: of the training data.
Tuned tune(const std::vector<const Field*>& space, const TuningPlan& plan, std::size_t queries,
           const RunTrial& run, Context& context);

}  // namespace podium

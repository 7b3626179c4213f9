// Tuning: searches for the options of a learner with the highest value on the validation data, over
// the ranges that the learner declares (Field::search). The first trial has the defaults and is
// never dropped, so tuning never chooses options that are worse on the validation data than the
// defaults.
//
//   latin-hypercube      all trials are trained on all training queries
//   successive-halving   all are trained on a small share of the queries, the better half on twice
//                        as many, and so on; those of the last stage saw all [Jamieson16]
//
// Independent of training: a trial is a function call. Results do not depend on the number of
// threads.
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
  std::size_t trials = 10;  // candidates, including the defaults
  SearchMethod method = SearchMethod::latin_hypercube;
};

struct Trial {
  Assignments options;          // that differ from the fixed ones and the defaults
  std::optional<double> value;  // nullopt: it failed
  std::string message;          // the error
  int stage = 1;
  double share = 1;  // of the training queries
};

struct Tuned {
  std::vector<Trial> trials;  // in order, stage by stage
  std::size_t best = 0;       // among the trials on all queries; the first of equal ones
};

// The fields to tune: those with a range that are not fixed.
std::vector<const Field*> search_space(const std::vector<Field>& fields, const Settings& fixed);

// The value on the validation data with these options, trained on a fraction of the queries.
using RunTrial = std::function<double(const Assignments& options, double share)>;

// Trials run in the pool. A trial failed if it throws an Error or returns NaN; if all that count
// failed, the first one's Error is rethrown. `queries`: of the training data.
Tuned tune(const std::vector<const Field*>& space, const TuningPlan& plan, std::size_t queries,
           const RunTrial& run, Context& context);

}  // namespace podium

// log.json of an `auto` run: which run it was, and what must be known to repeat it where the clock
// decided: how candidates were judged, how many trials and folds there were, which training runs
// ended after which iteration, and which were given up.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "experiments/automatic/budget.h"
#include "experiments/automatic/trained_cells.h"

namespace podium {

struct ReplayLog {
  std::size_t trials = 0, folds = 0, estimate_trials = 0;  // folds: of the estimate
  bool refits = false;                                     // for the estimate
  SearchPlan plan = {};
  std::set<CellAt> slow = {};
  std::map<CellAt, std::int64_t> cut = {};
  std::vector<std::size_t> members = {};  // within the latency; empty: all
};

// `run`: everything that the result depends on, by name; options under their own names.
nlohmann::ordered_json log_json(const ReplayLog& log, const CandidateTable& candidates,
                                const nlohmann::ordered_json& run);

// Throws a data Error if the file is no such log, and a usage Error that says what differs if it is
// of another run. A log of another version is noted.
ReplayLog read_log(const std::string& path, const CandidateTable& candidates,
                   const nlohmann::ordered_json& run, Observer& observer);

}  // namespace podium

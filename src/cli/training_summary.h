// What `podium train` says at its end, and the figures of every iteration.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/command.h"
#include "podium/learner.h"

namespace podium::cli {

// Seconds: until the data was read and prepared, and those of Learner::train.
struct TrainingTimes {
  double read = 0, train = 0;
};

// A note on a model that ranks nothing; with --strict an Error.
void report_useless(const SavedModel& saved, bool strict, Context& context);

// The contract's JSON object; `train`: the measures on the training data.
Json training_summary(const SavedModel& saved, const TrainingResult& result,
                      const TrainingTimes& times, const std::map<std::string, double>& train);
// Adds what the ranks had to tell each other so far. All ranks must call it.
void add_ranks(Json& summary, Communicator& comm);
// The same as text; `path`: where the model is.
std::string summary_text(const Json& summary, const Convention& convention,
                         const std::string& path);

// One line per iteration, one column a figure.
void write_diagnostics(const std::vector<Iteration>& log, const std::string& path);

}  // namespace podium::cli

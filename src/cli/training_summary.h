// The output of `podium train` at its end, and the values of every iteration.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/command.h"
#include "podium/learner.h"

namespace podium::cli {

// Seconds for reading and preparing the data, and for Learner::train.
struct TrainingTimes {
  double read = 0, train = 0;
};

// Adds a note about a model that ranks nothing; with --strict throws an Error.
void report_useless(const SavedModel& saved, bool strict, Context& context);

// The documented JSON object; `train`: the measures on the training data.
Json training_summary(const SavedModel& saved, const TrainingResult& result,
                      const TrainingTimes& times, const std::map<std::string, double>& train);
// Adds the amount of communication between ranks so far. All ranks must call it.
void add_ranks(Json& summary, Communicator& comm);
// The same as text; `path`: the path of the model.
std::string summary_text(const Json& summary, const Convention& convention,
                         const std::string& path);

// One line per iteration, one column per value.
void write_diagnostics(const std::vector<Iteration>& log, const std::string& path);

}  // namespace podium::cli

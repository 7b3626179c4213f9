// What a click log says, for a report: click-through by position, what click models make of it,
// which positions it connects, what clicks are worth with the models' propensities, and, if given,
// the value of rankers and the verdict of an interleaving experiment.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "podium/click_model.h"
#include "podium/counterfactual.h"
#include "podium/interleaving.h"
#include "podium/option_text.h"

namespace podium {

// A ranker whose value is estimated: one score per document of the data.
struct ScoredRanker {
  std::string name;
  std::vector<double> scores;
};

struct InterleavingPart {
  std::string name;  // of the log
  double alpha = 0.05;
  InterleavingVerdict verdict;
};

struct ClickReportOptions {
  std::string name;                     // of the log
  std::string version;                  // of Podium
  std::vector<ClickFitOptions> models;  // at least one
  CounterfactualOptions value;
  OptionSpelling spelling = bare_option;  // of options in notes and reasons
};

// Fits the models, and returns what the page shows as JSON: {"format": "podium-clicks-report", …}.
// A model that the log does not determine is there with the reason; rankers are evaluated with the
// propensities of the first model that has some, or those of the log. `data`: for rankers and
// models that need features; the log was matched with it, and has sessions if a model needs them.
std::string click_report(const ClickLog& log, const Dataset* data,
                         const std::vector<ScoredRanker>& rankers,
                         const std::optional<InterleavingPart>& interleaving,
                         const ClickReportOptions& options, Context& context);

// Writes the page. Throws an Error if this build has none.
void write_click_report(const std::string& summary_json, const std::string& html_path);

}  // namespace podium

#include "cli/clicks_report.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "cli/flags.h"
#include "core/counted.h"
#include "core/output_file.h"
#include "core/spec.h"
#include "experiments/report/report.h"
#include "podium/click_report.h"
#include "podium/error.h"
#include "podium/model.h"
#include "podium/version.h"

namespace podium::cli {
namespace {

// The fit options without those that this command has another name for.
std::vector<Field> fields_of_fits() {
  std::vector<Field> fields = click_fit_option_table().fields();
  std::erase_if(fields, [](const Field& field) { return field.name == "model"; });
  return fields;
}

std::vector<ClickFitOptions> models_named(const std::string& text, const Assignments& given) {
  const auto& table = click_fit_option_table();
  std::vector<ClickFitOptions> models;
  for (const std::string_view name : split_outside_parentheses(text, ',')) {
    Assignments assignments = given;
    assignments.emplace_back("model", std::string(name));
    models.push_back(table.read(Settings(table.fields(), assignments)));
    // An assumption is for models that may need one.
    const ClickModelKind kind = models.back().model;
    if (kind == ClickModelKind::trust || kind == ClickModelKind::regression_em)
      models.back().assume.clear();
  }
  return models;
}

}  // namespace

void ClicksReport::add(CLI::App& command, ClickFiles& clicks) {
  clicks.add(command, Needed::required);
  command.add_option("--models", models_,
                     "click models to fit and compare, as of podium clicks fit, separated by "
                     "commas (default pbm,harvest,dbn,ctr-rank)");
  command
      .add_option("--held-out", held_out_,
                  "share of the sessions that is held out to measure the fits (default 0.1)")
      ->check(CLI::Range(0.0, 0.9));
  command
      .add_option("--data", data_,
                  "the documents and their features, for --rankers and the model regression-em")
      ->type_name("FILE");
  command
      .add_option("--rankers", rankers_,
                  "models (.json) whose value is estimated from the clicks, with the propensities "
                  "of the first click model that has some, or those of the log")
      ->type_name("FILE");
  command
      .add_option("--interleaving", interleaving_,
                  "click log of interleaved lists, with a column owner: its verdict is shown, too")
      ->type_name("FILE");
  command
      .add_option("--alpha", alpha_,
                  "with --interleaving: level of the sequential test (default "
                  "0.05)")
      ->check(CLI::Range(1e-9, 0.5));
  command.add_option("-o,--output", output_, "the page to write (.html)")
      ->required()
      ->type_name("FILE");
  fit_.add(command, fields_of_fits(), "Model");
  value_.add(command, counterfactual_option_table().fields(), "Value", "propensity-clip", "clip");
  reading_.add(command);
}

void ClicksReport::check(const ClickFiles& clicks) const {
  if (!rankers_.empty() && data_.empty())
    throw Error(ErrorCode::usage, "--rankers need --data FILE: what they rank");
  if (interleaving_.empty() && alpha_ != 0.05)
    throw Error(ErrorCode::usage, "--alpha needs --interleaving");
  if (rankers_.empty())
    for (const auto& [name, value] : value_.given())
      if (name != "propensity-clip")
        throw Error(ErrorCode::usage, fmt::format("--{} needs --rankers", name));
  if (output_ == "-") throw Error(ErrorCode::usage, "-o: a page is a file, not the output");
  check_report(output_, clicks.path());
}

void ClicksReport::run(const ClickFiles& clicks, Frame& frame) const {
  const auto& values = counterfactual_option_table();
  ClickReportOptions options;
  options.models = models_named(models_, fit_.given());
  options.value = values.read(Settings(values.fields(), value_.given()));
  options.name = stem(clicks.path());
  options.version = PODIUM_VERSION;
  options.spelling = as_flag;
  check(clicks);
  const auto any = [&](auto&& wanted) {
    return std::any_of(options.models.begin(), options.models.end(),
                       [&](const ClickFitOptions& one) { return wanted(one.model); });
  };
  const bool features = any(needs_features);
  if (features && data_.empty())
    throw Error(ErrorCode::usage,
                "--models regression-em needs --data FILE: it learns relevance from the "
                "documents' features");
  if (!data_.empty() && !features && rankers_.empty())
    throw Error(ErrorCode::usage, "--data is for --rankers and --models regression-em");
  Context& context = frame.context();
  std::vector<SavedModel> rankers;
  for (const std::string& path : rankers_) rankers.push_back(load_model(path));
  std::optional<Dataset> data;
  if (!data_.empty())
    data = features ? reading_.read(data_, context) : reading_.read_for(rankers, data_, context);
  const ClickLog log = clicks.read(data ? &*data : nullptr, held_out_,
                                   any([](ClickModelKind kind) { return needs_sessions(kind); })
                                       ? KeptSessions::distinct
                                       : KeptSessions::none,
                                   context);
  std::vector<ScoredRanker> scored;
  for (std::size_t m = 0; m < rankers.size(); ++m)
    scored.push_back({stem(rankers_[m]), score(rankers[m], *data, context)});
  std::optional<InterleavingPart> interleaving;
  if (!interleaving_.empty())
    interleaving =
        InterleavingPart{stem(interleaving_), alpha_,
                         analyse_interleaved_log(interleaving_, nullptr, alpha_, context)};
  const std::string summary =
      click_report(log, data ? &*data : nullptr, scored, interleaving, options, context);
  write_click_report(summary, output_);
  if (frame.json()) return print_json(Json::parse(summary));
  print_written(fmt::format("{}: {}, {}\n", output_, counted(log.session_count, "session"),
                            counted(options.models.size(), "click model")),
                frame);
}

}  // namespace podium::cli

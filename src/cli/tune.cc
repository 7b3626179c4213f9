// podium tune LEARNER: searches the learner's declared ranges on validation data, and prints a
// command line to paste.
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/data_options.h"
#include "cli/flags.h"
#include "cli/missing_options.h"
#include "cli/model_file.h"
#include "cli/training_summary.h"
#include "data/formats/column_options.h"
#include "data/formats/mapped_data.h"
#include "experiments/comparison/cell.h"
#include "experiments/comparison/json_number.h"
#include "experiments/report/tables.h"
#include "measures/label_notes.h"
#include "models/file/json_text.h"
#include "podium/error.h"
#include "podium/learner.h"

namespace podium::cli {
namespace {

struct TuneArguments {
  std::string learner, data, valid, loss, measure = "nDCG@10", convention = "podium";
  std::string normalize, bin_rule, features, search = "latin-hypercube";
  std::int64_t trials = 20, bins = 0;
  bool strict = false;
  double pointwise = 0;
  ModelFile model;
  MissingOptions missing;
  DataOptions reading;
  FieldOptions options;
};

struct TuneTerms {
  System system;
  TrainingTerms training;
};

TuneTerms terms_of(const TuneArguments& arguments) {
  TuneTerms terms;
  terms.system.name = terms.system.learner = arguments.learner;
  terms.system.given = arguments.options.given();
  terms.system.loss = arguments.loss;
  terms.system.pointwise = arguments.pointwise;
  terms.training.convention = find_convention(arguments.convention);
  terms.training.measures = parse_measures(arguments.measure, terms.training.convention);
  terms.training.preparation = {wanted_normalization(arguments.normalize), arguments.bins,
                                wanted_bin_rule(arguments.bin_rule)};
  arguments.missing.set(terms.training.preparation);
  terms.training.tuning = TuningPlan{static_cast<std::size_t>(arguments.trials),
                                     *choice_named(search_methods(), arguments.search)};
  choose_learner(spec_of(terms.system));
  return terms;
}

Json useless_json(const CellRecord& cell) {
  const auto found = cell.shown.find("useless");
  return found == cell.shown.end() ? Json() : Json(with_flags(found->get<std::string>()));
}

Json trial_json(const TuneTerms& terms, const Trial& trial) {
  const Settings settings = settings_of(terms.system, trial.options);
  Json options = Json::object();
  for (const auto& [name, text] : trial.options) options[name] = value_json(settings[name]);
  Json json = {
      {"options", options}, {"value", nullptr}, {"stage", trial.stage}, {"share", trial.share}};
  if (trial.value) json["value"] = *trial.value;
  if (!trial.message.empty()) json["message"] = with_flags(trial.message);
  return json;
}

bool searches(const TuneTerms& terms) {
  return !search_space(learners().at(terms.system.learner).options(), settings_of(terms.system))
              .empty();
}

Table trial_table(const TuneTerms& terms, const TrainingRun& run, const std::string& measure) {
  Table table;
  table.header = {"trial"};
  const auto space =
      search_space(learners().at(terms.system.learner).options(), settings_of(terms.system));
  for (const Field* field : space) table.header.push_back(field->name);
  const bool halving = run.trials.back().stage > 1;
  if (halving) table.header.push_back("queries");
  table.header.push_back("valid " + measure);
  for (std::size_t i = 0; i < run.trials.size(); ++i) {
    const Trial& trial = run.trials[i];
    const Settings settings = settings_of(terms.system, trial.options);
    std::vector<Table::Cell> row = {{fmt::format("{}", i + 1)}};
    for (const Field* field : space) row.push_back({to_text(settings[field->name])});
    if (halving) row.push_back({fmt::format("1/{}", static_cast<int>(1 / trial.share))});
    row.push_back({trial.value ? fmt::format("{:.6f}", *trial.value) : with_flags(trial.message)});
    if (trial.options == run.found && trial.share == 1) row.back().mark = Table::Mark::best;
    table.rows.push_back(std::move(row));
  }
  return table;
}

void report(const TuneArguments& arguments, const TuneTerms& terms, const TrainingRun& run,
            const CellRecord& cell, Frame& frame) {
  const std::string label = measure_label(*terms.training.measures[0], terms.training.convention);
  if (frame.json()) {
    Json trials = Json::array();
    for (const Trial& trial : run.trials) trials.push_back(trial_json(terms, trial));
    return print_json(
        {{"learner", arguments.learner},
         {"search", arguments.search},
         {"measure", label},
         {"trials", trials},
         {"options", cell.shown["options"]},
         {"chosen", cell.shown["chosen"]},
         {"measures", {{"train", cell.shown["train"]}, {"valid", cell.shown["valid"]}}},
         {"useless", useless_json(cell)},
         {"command", cell.shown["command"]}});
  }
  if (searches(terms))
    print(render(trial_table(terms, run, label), TableFormat::text) + "\n");
  else
    print(fmt::format("{} has nothing to tune: {}\n", arguments.learner,
                      run.result.chosen.empty()
                          ? "it has no options to tune, or all of them are given"
                          : "it chooses its options on the validation data itself"));
  for (const auto& [name, value] : run.result.chosen)
    print(fmt::format("chosen {}\t{}\n", name, value));
  for (const char* part : {"train", "valid"})
    for (const auto& [name, value] : cell.shown[part].items())
      print(fmt::format("{} {}\t{:.6f}\n", part, name, number_or_nan(value)));
  print(cell.shown["command"].get<std::string>() + "\n");
}

void run(const TuneArguments& arguments, Frame& frame) {
  const TuneTerms terms = terms_of(arguments);
  require_columns_used(arguments.reading.options(), {arguments.data, arguments.valid});
  arguments.model.require_replaceable();
  frame.stop_on_signal();
  Context& context = frame.context();
  const MappedData mapped({arguments.data, arguments.valid}, arguments.reading.options(),
                          context.comm);
  FoldData data;
  const ReadOptions reading = arguments.reading.options();
  data.train = read_dataset(arguments.data, reading, context);
  data.valid = data.test = read_dataset(arguments.valid, reading, context);
  TransformOptions steps = preparation_of(terms.system, terms.training);
  if (!arguments.bin_rule.empty() && steps.bins == 0)
    throw Error(ErrorCode::usage, "--bin-rule needs --bins");
  steps.features = arguments.features;
  note_labels(data.train.labels(), terms.training.measures, context);
  const auto view = prepare_view(data, steps, "", *choose_learner(spec_of(terms.system)).learner,
                                 terms.training.measures[0], terms.training.convention, context);
  context.observer.phase("tuning " + arguments.learner);
  const auto tuned = train_system(terms.system, terms.training, *view, context);
  if (!tuned) frame.stopped("stopped before the search ended");
  mapped.require_unchanged(context.comm);
  report_useless(tuned->saved, arguments.strict, context);
  CellRecord cell =
      finished_cell(terms.system, "", *tuned, terms.training, *view,
                    {{arguments.data, arguments.valid, ""}, arguments.reading.options()}, context);
  std::string command = cell.shown["command"];
  if (!arguments.features.empty()) command += " --features " + shell_quoted(arguments.features);
  if (!arguments.model.path.empty()) {
    SavedModel saved = tuned->saved;
    for (const auto& [label, value] : cell.shown["valid"].items())
      if (value.is_number()) saved.training.validation[label] = value.get<double>();
    save_model(saved, arguments.model.path);
    command += " --model " + shell_quoted(arguments.model.path);
  }
  cell.shown["command"] = command;
  report(arguments, terms, *tuned, cell, frame);
}

}  // namespace

std::function<void()> declare_tune(CLI::App& command, Frame& frame) {
  auto arguments = std::make_shared<TuneArguments>();
  command
      .add_option("LEARNER", arguments->learner, "learner to tune; `podium learners` lists them")
      ->required();
  command.add_option("--data", arguments->data, "training data")->required()->type_name("FILE");
  command.add_option("--valid", arguments->valid, "validation data, on which trials are evaluated")
      ->required()
      ->type_name("FILE");
  command
      .add_option("--trials", arguments->trials,
                  "number of trials, including the defaults (default 20)")
      ->check(CLI::Range(1, 100000));
  command
      .add_option("--search", arguments->search, "how trials are chosen (default latin-hypercube)")
      ->check(one_of(choice_names(search_methods())));
  arguments->model.add(command, "file to save the best model in");
  command.add_option("--measure", arguments->measure,
                     "measure to choose by; further ones, separated by commas, are only reported "
                     "(default nDCG@10)");
  command.add_option("--convention", arguments->convention,
                     "convention for computing measures (default podium)");
  command.add_option("--loss", arguments->loss, "the loss, for learners that accept any");
  command
      .add_option("--pointwise", arguments->pointwise,
                  "add this many times the squared error to the loss")
      ->check(CLI::Range(0.0, 1e300));
  command.add_option(
      "--normalize", arguments->normalize,
      "rescale features within each query: query-minmax, query-zscore, query-percentile, none");
  command
      .add_option("--bins", arguments->bins,
                  "replace each feature by indicators at this many thresholds")
      ->check(CLI::Range(1, 65536));
  command.add_option("--bin-rule", arguments->bin_rule, "how to place them: quantile, even")
      ->check(one_of(bin_rule_names()));
  command.add_option("--features", arguments->features,
                     "features to use, e.g. 1-10,15 (default: all)");
  arguments->missing.add(command);
  command.add_flag("--strict", arguments->strict,
                   "treat a model that gives all documents of a query the same score, or that had "
                   "nothing to learn from, as an error");
  arguments->reading.add(command);
  frame.add_device_option(command);
  if (const std::string name = learner_named(frame.arguments()); !name.empty())
    arguments->options.add(command, learners().at(name).options(),
                           "Options of " + name + " to fix");
  else
    command.footer("Learner options that are given are fixed; the others are tuned.");
  return [arguments, &frame] {
    arguments->reading.need_only(arguments->features);
    run(*arguments, frame);
  };
}

}  // namespace podium::cli

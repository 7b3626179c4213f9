// podium train LEARNER: read, prepare, train, report, save.
#include <algorithm>
#include <chrono>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "cli/checkpoint_options.h"
#include "cli/click_training.h"
#include "cli/command.h"
#include "cli/data_options.h"
#include "cli/missing_options.h"
#include "cli/model_file.h"
#include "cli/other_names.h"
#include "cli/training_start.h"
#include "cli/training_summary.h"
#include "core/output_file.h"
#include "data/formats/column_options.h"
#include "data/formats/mapped_data.h"
#include "data/formats/preferences_file.h"
#include "distributed/mpi/mpi_group.h"
#include "distributed/on_every_rank.h"
#include "distributed/over_ranks.h"
#include "learners/checkpoint/training_identity.h"
#include "learners/training_record.h"
#include "podium/error.h"
#include "podium/training.h"

namespace podium::cli {
namespace {

struct TrainArguments {
  std::string learner, data, valid, measure = "nDCG@10", loss, convention = "podium";
  std::string normalize, bin_rule, features, diagnostics, preferences;
  StartFiles start;
  ModelFile model;
  std::int64_t bins = 0;
  bool strict = false, preferences_only = false;
  double pointwise = 0;
  std::optional<double> rank_timeout;
  MissingOptions missing;
  DataOptions reading;
  CheckpointOptions checkpoints;
  ClickTraining clicks;
  FieldOptions options;
};

TrainingSpec spec_of(const TrainArguments& arguments) {
  TrainingSpec spec{.learner = arguments.learner, .options = arguments.options.given()};
  spec.pointwise = arguments.pointwise;
  spec.convention = find_convention(arguments.convention);
  spec.measures = parse_measures(arguments.measure, spec.convention);
  spec.preparation = {wanted_normalization(arguments.normalize), arguments.bins,
                      wanted_bin_rule(arguments.bin_rule), arguments.features};
  arguments.missing.set(spec.preparation);
  if (!arguments.loss.empty()) spec.loss = parse_loss(arguments.loss);
  if (!arguments.preferences.empty())
    spec.preferences = arguments.preferences_only ? TrainingSpec::Preferences::instead_of_grades
                                                  : TrainingSpec::Preferences::beside_grades;
  set_start(spec, arguments.start);
  return spec;
}

// A feature that only the validation data has cannot be learned from; most likely the files do not
// belong together.
void require_known_features(const Dataset& train, const Dataset& valid, const std::string& path) {
  const std::vector<std::string>& names = train.feature_names();
  if (valid.features() <= names.size() &&
      std::equal(valid.feature_names().begin(), valid.feature_names().end(), names.begin()))
    return;
  const std::set<std::string_view> known(names.begin(), names.end());
  std::vector<std::string_view> others;
  for (const std::string& name : valid.feature_names())
    if (!known.contains(name)) others.push_back(name);
  if (others.empty()) return;
  const std::size_t shown = std::min<std::size_t>(others.size(), 5);
  throw Error(
      ErrorCode::data,
      fmt::format("features that the training data does not have: {}{}",
                  fmt::join(others.begin(), others.begin() + shown, ", "),
                  others.size() > shown ? fmt::format(" and {} more", others.size() - shown) : ""),
      {path});
}

PreparedData read_and_prepare(const TrainArguments& arguments, TrainingSpec& spec,
                              Context& context) {
  const std::span<const SavedModel> continued = continued_model(spec);
  Dataset train = arguments.reading.read_share_for(continued, arguments.data, context);
  if (arguments.clicks.given()) train = arguments.clicks.debias(train, spec, context);
  if (!arguments.preferences.empty())
    train = with_preferences(train, arguments.preferences, context);
  std::optional<Dataset> valid;
  if (!arguments.valid.empty()) {
    valid = arguments.reading.read_share_for(continued, arguments.valid, context);
    require_known_features(train, *valid, arguments.valid);
  }
  const Dataset* const other = valid ? &*valid : nullptr;
  read_start_scores(spec, arguments.start, train, other, context);
  return prepare(spec, train, other, context);
}

// What to do if a rank is lost.
std::string advice(const CheckpointFile* checkpoints) {
  if (!checkpoints || !checkpoints->on_disk()) return {};
  return fmt::format(" Training can be resumed from {} with --resume", checkpoints->path());
}

Trained train_or_stop(const TrainingSpec& spec, const PreparedData& data, Context& context,
                      const Frame& frame) {
  try {
    return podium::train(spec, data, context);
  } catch (const Stopped& stopped) {
    frame.stopped(stopped.message());
  }
}

// Checks everything that can be wrong before data is read.
void check(const TrainArguments& arguments, const TrainingSpec& spec, const Frame& frame) {
  refuse_file_of_pairs(spec.options);
  const Settings settings = choose_learner(spec).settings;
  if (settings.given("early-stopping") && arguments.valid.empty() &&
      settings["early-stopping"] != Value(std::int64_t{0}))
    throw Error(ErrorCode::usage, "--early-stopping needs --valid");
  if (frame.json() && (arguments.model.path == "-" || arguments.diagnostics == "-"))
    throw Error(ErrorCode::usage, "--json writes to standard output: give --model a file");
  require_columns_used(arguments.reading.options(), {arguments.data, arguments.valid});
  if (arguments.preferences_only && arguments.preferences.empty())
    throw Error(ErrorCode::usage, "--preferences-only needs --preferences");
  arguments.checkpoints.require_model_file(arguments.model.path);
  arguments.clicks.check(arguments.start.init, choose_learner(spec));
  if (!frame.group() && arguments.rank_timeout)
    throw Error(ErrorCode::usage, "--rank-timeout only applies under mpirun");
}

void prepare_outputs(const TrainArguments& arguments, Context& context) {
  on_first_rank(context.comm, [&] {
    arguments.model.require_replaceable();
    for (const std::string& output : {arguments.model.path, arguments.diagnostics}) {
      if (output.empty()) continue;
      require_writable(output);
      remove_leftovers(output);
    }
  });
}

void train(const TrainArguments& arguments, Frame& frame) {
  const auto started = std::chrono::steady_clock::now();
  TrainingSpec spec = spec_of(arguments);
  check(arguments, spec, frame);
  if (frame.group())
    frame.group()->wait_at_most(
        std::chrono::duration<double>(arguments.rank_timeout.value_or(600)));
  frame.stop_on_signal();
  Context& context = frame.context();
  prepare_outputs(arguments, context);
  const MappedData mapped({arguments.data, arguments.valid}, arguments.reading.options(),
                          context.comm);
  const PreparedData data = read_and_prepare(arguments, spec, context);
  if (on_any_rank(context.stop.stop_requested(), context.comm))
    frame.stopped("stopped before the training began");
  const auto checkpoints = arguments.checkpoints.open(
      arguments.model.path, [&] { return identity_of(spec, data, context); }, context);
  Context training = context;
  training.checkpoints = checkpoints.get();
  if (frame.group()) frame.group()->advise([&] { return advice(checkpoints.get()); });
  const std::chrono::duration<double> reading = std::chrono::steady_clock::now() - started;
  const Trained trained = train_or_stop(spec, data, training, frame);
  mapped.require_unchanged(context.comm);
  report_useless(trained.model, arguments.strict, context);
  const TrainingProblem problem = problem_of(spec, data);
  const auto on_train = measured_unless_stopped(problem, trained.model.model, data.train,
                                                problem.start.train_offset, context);
  Json json =
      training_summary(trained.model, trained.result, {reading.count(), trained.seconds}, on_train);
  if (frame.group()) add_ranks(json, context.comm);
  on_first_rank(context.comm, [&] {
    if (!arguments.model.path.empty())
      save_and_forget(trained.model, arguments.model.path, trained.result.termination,
                      checkpoints.get(), context);
    else
      context.observer.note("no --model FILE was given: the model is not saved");
    if (!arguments.diagnostics.empty())
      write_diagnostics(trained.result.log, arguments.diagnostics);
    if (frame.json())
      frame.print_report(std::move(json));
    else if (arguments.model.path.empty())  // the summary is all there is
      print(summary_text(json, spec.convention, ""));
    else
      print_written(summary_text(json, spec.convention, arguments.model.path), frame);
  });
  if (trained.result.termination == Termination::stopped) frame.ended_early();
  if (frame.group()) frame.group()->advise({});
}

}  // namespace

std::function<void()> declare_train(CLI::App& command, Frame& frame) {
  auto arguments = std::make_shared<TrainArguments>();
  command
      .add_option("LEARNER", arguments->learner, "learner to train; `podium learners` lists them")
      ->required();
  command.add_option("--data", arguments->data, "training data")->required()->type_name("FILE");
  command.add_option("--valid", arguments->valid, "validation data, used to choose between models")
      ->type_name("FILE");
  arguments->model.add(command, "file to save the model in (.json or .json.zst)");
  command.add_option("--measure", arguments->measure,
                     "measure to choose by; further ones, separated by commas, are only reported "
                     "(default nDCG@10)");
  command.add_option("--convention", arguments->convention,
                     "convention for computing measures (default podium)");
  command.add_option("--loss", arguments->loss, "the loss, for learners that accept any");
  command
      .add_option("--preferences", arguments->preferences,
                  "pairs to learn from beside the grades: a TSV or CSV file of qid, better, "
                  "worse and, optionally, weight; documents by docid, or by number if the data has "
                  "none")
      ->type_name("FILE");
  command.add_flag("--preferences-only", arguments->preferences_only,
                   "learn from --preferences alone; grades are only evaluated");
  command
      .add_option("--pointwise", arguments->pointwise,
                  "add this many times the squared error to the loss")
      ->check([](const std::string& text) {
        double value = 0;
        const bool fine = CLI::detail::lexical_cast(text, value) && value >= 0 && value < 1e300;
        return fine ? std::string() : "--pointwise: '" + text + "' is not a number >= 0";
      });
  command
      .add_option("--init", arguments->start.init,
                  "starting point: a model (.json) to continue, feature:NAME, or a file of scores, "
                  "one per line, that the model's scores are added to")
      ->type_name("FILE|FEATURE");
  command
      .add_option("--valid-init", arguments->start.valid_init,
                  "the corresponding scores for --valid")
      ->type_name("FILE");
  command.add_option(
      "--normalize", arguments->normalize,
      "rescale features within each query, also when scoring: query-minmax, query-zscore, "
      "query-percentile, none (default: none, or what the learner prescribes)");
  command
      .add_option("--bins", arguments->bins,
                  "replace each feature by indicators at this many thresholds, also when scoring "
                  "(default: none, or what the learner prescribes)")
      ->check(CLI::Range(1, 65536));
  command
      .add_option("--bin-rule", arguments->bin_rule,
                  "how to place these thresholds: quantile, even (default: quantile, or what the "
                  "learner prescribes)")
      ->check(one_of(bin_rule_names()));
  command.add_option("--features", arguments->features,
                     "features to use, e.g. 1-10,15 (default: all)");
  arguments->missing.add(command);
  command
      .add_option("--diagnostics", arguments->diagnostics,
                  "write the values of every iteration as TSV")
      ->type_name("FILE");
  command.add_flag("--strict", arguments->strict,
                   "treat a model that gives all documents of a query the same score, or that had "
                   "nothing to learn from, as an error");
  const std::string name = learner_named(frame.arguments());
  const std::vector<Field> fields =
      name.empty() ? std::vector<Field>() : learners().at(name).options();
  arguments->clicks.add(command, fields);
  arguments->checkpoints.add(command);
  command
      .add_option(
          "--rank-timeout", arguments->rank_timeout,
          "under mpirun: give up when a rank has not answered for this many seconds (default 600)")
      ->check(CLI::Range(1.0, 1e6))
      ->type_name("X");
  arguments->reading.add(command);
  frame.add_profile_option(command);
  frame.add_device_option(command);
  if (!name.empty())
    arguments->options.add(command, fields, "Options of " + name);
  else
    command.footer("Each learner has further options: podium train LEARNER --help");
  return [arguments, &frame] {
    arguments->reading.need_only(arguments->features);
    train(*arguments, frame);
  };
}

}  // namespace podium::cli

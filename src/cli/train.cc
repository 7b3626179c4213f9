// podium train LEARNER: read, prepare, train, report, save.
#include <algorithm>
#include <chrono>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "cli/checkpoint_options.h"
#include "cli/command.h"
#include "cli/data_options.h"
#include "cli/training_start.h"
#include "cli/training_summary.h"
#include "core/output_file.h"
#include "data/column_options.h"
#include "data/mapped_data.h"
#include "data/present_features.h"
#include "distributed/mpi/mpi_group.h"
#include "distributed/over_ranks.h"
#include "distributed/together.h"
#include "learners/memory_estimate.h"
#include "learners/pointwise_term.h"
#include "learners/training_record.h"
#include "podium/error.h"
#include "podium/learner.h"
#include "podium/model.h"

namespace podium::cli {
namespace {

struct TrainArguments {
  std::string learner, data, valid, model, measure = "nDCG@10", loss, convention = "podium";
  std::string normalize, bin_rule, features, diagnostics, init, valid_init;
  std::int64_t bins = 0;
  bool strict = false;
  double pointwise = 0;
  std::optional<double> rank_timeout;
  DataOptions reading;
  CheckpointOptions checkpoints;
  FieldOptions options;
};

// Training and validation data, prepared alike.
struct Prepared {
  Dataset train;
  std::optional<Dataset> valid;
  Transform transform;  // from the data's features to what the model sees
  TrainingProblem::Start start;
};

Transform transform_for(const TrainArguments& arguments, const Learner& learner,
                        const Dataset& train, const SavedModel* start, Context& context) {
  if (start) {
    if (!arguments.normalize.empty() || arguments.bins > 0 || !arguments.bin_rule.empty() ||
        !arguments.features.empty())
      throw Error(ErrorCode::usage,
                  "--init MODEL prepares data as that model does: leave out --normalize, --bins, "
                  "--bin-rule and --features");
    Transform transform = start->normalization;
    transform.features = start->features;
    return transform;
  }
  TransformOptions steps = learner.preparation();
  if (!arguments.normalize.empty()) steps.normalize = parse_normalization(arguments.normalize);
  if (arguments.bins > 0) steps.bins = arguments.bins;
  if (!arguments.bin_rule.empty() && steps.bins == 0)
    throw Error(ErrorCode::usage, "--bin-rule belongs to --bins");
  if (!arguments.bin_rule.empty()) steps.bin_rule = parse_bin_rule(arguments.bin_rule);
  steps.features = arguments.features;
  return fit_training_transform(steps, train, context);
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

Prepared prepare(const TrainArguments& arguments, const Learner& learner, TrainingStart& start,
                 Context& context) {
  Prepared out;
  const Dataset train = arguments.reading.read_share(arguments.data, context);
  std::optional<Dataset> valid;
  if (!arguments.valid.empty()) {
    valid = arguments.reading.read_share(arguments.valid, context);
    require_known_features(train, *valid, arguments.valid);
  }
  out.transform = transform_for(arguments, learner, train, start.model(), context);
  out.train = apply(out.transform, train, context);
  if (valid) out.valid = apply(out.transform, *valid, context);
  out.start = start.start(train, valid ? &*valid : nullptr, out.train, context);
  return out;
}

// What to do when a rank is lost.
std::string advice(const CheckpointFile* checkpoints) {
  if (!checkpoints || !checkpoints->on_disk()) return {};
  return fmt::format(" Training can go on with --resume from {}", checkpoints->path());
}

// The learner's own loss or the user's, with the pointwise term where one is wanted.
std::shared_ptr<const Loss> choose_loss(const TrainArguments& arguments, const Learner& learner) {
  std::string name = arguments.loss.empty() ? learner.default_loss() : arguments.loss;
  if (!arguments.loss.empty() && !learner.takes_any_loss())
    throw Error(ErrorCode::usage, fmt::format("{} takes no --loss", arguments.learner));
  if (arguments.pointwise > 0)
    name = with_pointwise_term(name, arguments.pointwise, learner, arguments.learner);
  return name.empty() ? nullptr : parse_loss(name);
}

// What a checkpoint of this training is known by.
TrainingIdentity identity(const TrainArguments& arguments, const Settings& settings,
                          const TrainingProblem& problem, const ShareTotals& totals,
                          Context& context) {
  TrainingIdentity identity = identity_of(arguments.learner, settings, problem, totals, context);
  const std::string bins = arguments.bins > 0 ? std::to_string(arguments.bins) : "";
  identity.options.insert(
      identity.options.end(),
      {{"--normalize", arguments.normalize}, {"--bins", bins}, {"--features", arguments.features}});
  if (!arguments.bin_rule.empty()) identity.options.emplace_back("--bin-rule", arguments.bin_rule);
  return identity;
}

TrainingResult train_or_stop(const Learner& learner, const TrainingProblem& problem,
                             Context& context, const Frame& frame) {
  try {
    return learner.train(problem, context);
  } catch (const Stopped& stopped) {
    frame.stopped(stopped.message());
  }
}

// Without a figure where a stop request comes inside a list: the model is what matters then.
std::map<std::string, double> measured_unless_stopped(const TrainingProblem& problem,
                                                      const Model& model, const Dataset& data,
                                                      std::span<const double> offset,
                                                      Context& context) {
  try {
    return measured(problem, model, data, offset, context);
  } catch (const Stopped&) {
    context.observer.note("stopped: the model is not evaluated");
    return {};
  }
}

void train(const TrainArguments& arguments, Frame& frame) {
  const auto started = std::chrono::steady_clock::now();
  const Entry<Learner>& entry = learners().at(arguments.learner);
  const Settings settings(entry.options(), arguments.options.given());
  const auto learner = entry.make(settings);
  const Convention& convention = find_convention(arguments.convention);
  const std::vector<MeasurePtr> measures = parse_measures(arguments.measure, convention);
  const std::shared_ptr<const Loss> loss = choose_loss(arguments, *learner);
  if (!arguments.init.empty() && !learner->takes_start())
    throw Error(ErrorCode::usage, fmt::format("{} takes no --init", arguments.learner));
  TrainingStart start(arguments.init, arguments.valid_init);

  if (settings.given("early-stopping") && arguments.valid.empty() &&
      settings["early-stopping"] != Value(std::int64_t{0}))
    throw Error(ErrorCode::usage, "--early-stopping needs --valid");
  if (frame.json() && (arguments.model == "-" || arguments.diagnostics == "-"))
    throw Error(ErrorCode::usage, "--json needs standard output for itself: give --model a file");
  require_columns_used(arguments.reading.options(), {arguments.data, arguments.valid});
  arguments.checkpoints.require_model_file(arguments.model);
  if (!frame.group() && arguments.rank_timeout)
    throw Error(ErrorCode::usage, "--rank-timeout belongs to mpirun: one process waits for nobody");
  if (frame.group())
    frame.group()->wait_at_most(
        std::chrono::duration<double>(arguments.rank_timeout.value_or(600)));
  frame.stop_on_signal();
  Context& context = frame.context();
  on_first_rank(context.comm, [&] {
    for (const std::string& output : {arguments.model, arguments.diagnostics}) {
      if (output.empty()) continue;
      require_writable(output);
      remove_leftovers(output);
    }
  });
  const MappedData mapped({arguments.data, arguments.valid}, arguments.reading.options(),
                          context.comm);
  const Prepared data = prepare(arguments, *learner, start, context);
  if (on_any_rank(context.stop.stop_requested(), context.comm))
    frame.stopped("stopped before the training began");
  const TrainingProblem problem{
      data.train, data.valid ? &*data.valid : nullptr,   measures[0], convention, loss,
      data.start, {measures.begin() + 1, measures.end()}};
  const ShareTotals totals = totals_of(data.train, context);
  const auto checkpoints = arguments.checkpoints.open(
      arguments.model, [&] { return identity(arguments, settings, problem, totals, context); },
      context);
  Context training = context;
  training.checkpoints = checkpoints.get();
  if (frame.group()) frame.group()->advise([&] { return advice(checkpoints.get()); });
  note_memory(arguments.learner, settings, data.train, context.observer);
  context.observer.phase("training " + arguments.learner);
  const auto began = std::chrono::steady_clock::now();
  const TrainingResult result = train_or_stop(*learner, problem, training, frame);
  mapped.require_unchanged(context.comm);
  const std::chrono::duration<double> reading = began - started,
                                      training_time = std::chrono::steady_clock::now() - began;

  SavedModel saved =
      record_of(arguments.learner, settings, data.transform, problem, totals, result, context);
  report_useless(saved, arguments.strict, context);
  if (data.valid)
    saved.training.validation = measured_unless_stopped(problem, result.model, *data.valid,
                                                        problem.start.valid_offset, context);
  const auto on_train = measured_unless_stopped(problem, result.model, data.train,
                                                problem.start.train_offset, context);
  Json json = training_summary(saved, result, {reading.count(), training_time.count()}, on_train);
  if (frame.group()) add_ranks(json, context.comm);
  on_first_rank(context.comm, [&] {
    if (!arguments.model.empty())
      save_and_forget(saved, arguments.model, result.why, checkpoints.get(), context);
    else
      context.observer.note("no --model FILE was given: the model is not kept");
    if (!arguments.diagnostics.empty()) write_diagnostics(result.log, arguments.diagnostics);
    if (frame.json())
      print_json(json);
    else
      print(summary_text(json, convention, arguments.model));
  });
  if (result.why == Termination::stopped) frame.ended_early();
  if (frame.group()) frame.group()->advise({});
}

}  // namespace

std::function<void()> declare_train(CLI::App& command, Frame& frame) {
  auto arguments = std::make_shared<TrainArguments>();
  command.add_option("LEARNER", arguments->learner, "what to train; `podium learners` lists them")
      ->required();
  command.add_option("--data", arguments->data, "training data")->required()->type_name("FILE");
  command.add_option("--valid", arguments->valid, "validation data: chooses between models")
      ->type_name("FILE");
  command.add_option("--model", arguments->model, "where to save the model (.json or .json.zst)")
      ->type_name("FILE");
  command.add_option("--measure", arguments->measure,
                     "the measure to choose by and to report, more behind commas are reported only "
                     "(default nDCG@10)");
  command.add_option("--convention", arguments->convention,
                     "how measures are computed (default podium)");
  command.add_option("--loss", arguments->loss, "the loss, for learners that take any");
  command
      .add_option("--pointwise", arguments->pointwise,
                  "add this many times the squared error to the loss")
      ->check([](const std::string& text) {
        double value = 0;
        const bool fine = CLI::detail::lexical_cast(text, value) && value >= 0 && value < 1e300;
        return fine ? std::string() : "--pointwise: '" + text + "' is not a number >= 0";
      });
  command.add_option("--init", arguments->init,
                     "where to start: a model (.json) to go on from, feature:NAME, or a file of "
                     "scores, one a line, to which the model's are added");
  command.add_option("--valid-init", arguments->valid_init, "the same scores for --valid")
      ->type_name("FILE");
  command.add_option(
      "--normalize", arguments->normalize,
      "scale features per query, and again when scoring: query-minmax, query-zscore, "
      "query-percentile, none (default: none, unless it belongs to the learner)");
  command
      .add_option("--bins", arguments->bins,
                  "replace each feature by indicators of so many thresholds, and again when "
                  "scoring (default: none, unless it belongs to the learner)")
      ->check(CLI::Range(1, 65536));
  command
      .add_option(
          "--bin-rule", arguments->bin_rule,
          "where these thresholds lie: quantile, even (default: quantile, unless it belongs "
          "to the learner)")
      ->check(one_of(bin_rule_names()));
  command.add_option("--features", arguments->features, "use only these, e.g. 1-10,15");
  command
      .add_option("--diagnostics", arguments->diagnostics,
                  "write the figures of every iteration, TSV")
      ->type_name("FILE");
  command.add_flag(
      "--strict", arguments->strict,
      "a model that gives all documents of a query the same score, or that had nothing "
      "to learn from, is an error");
  arguments->checkpoints.add(command);
  command
      .add_option("--rank-timeout", arguments->rank_timeout,
                  "under mpirun: give up when a rank has not answered for so many seconds (default "
                  "600)")
      ->check(CLI::Range(1.0, 1e6))
      ->type_name("X");
  arguments->reading.add(command);
  if (const std::string name = learner_named(frame.arguments()); !name.empty())
    arguments->options.add(command, learners().at(name).options(), "Options of " + name);
  else
    command.footer("Each learner has options of its own: podium train LEARNER --help");
  return [arguments, &frame] { train(*arguments, frame); };
}

}  // namespace podium::cli

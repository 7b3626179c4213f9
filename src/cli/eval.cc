// podium eval: measures of models or score files on data, or of TREC runs against judgements. Every
// output names its convention.
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "cli/baseline_tests.h"
#include "cli/command.h"
#include "cli/data_options.h"
#include "cli/eval_clicks.h"
#include "cli/scoring_device.h"
#include "core/output_file.h"
#include "core/printable.h"
#include "measures/label_notes.h"
#include "measures/tied_work.h"
#include "podium/error.h"
#include "podium/evaluator.h"
#include "podium/model.h"
#include "podium/trec.h"

namespace podium::cli {
namespace {

constexpr const char* kDefaultMeasures = "nDCG@1,nDCG@3,nDCG@5,nDCG@10,AP,RR,P@10";

struct EvalArguments {
  std::string data, qrels, measures, convention, format = "text", per_query, ties, empty, baseline;
  std::vector<std::string> models, scores, runs;
  std::optional<double> relevant_from;
  bool complete = false, timings = false;
  ListLimits limits;
  DataOptions reading;
  EvalClicks clicks;
};

Convention chosen_convention(const EvalArguments& arguments) {
  const std::string usual = arguments.qrels.empty() ? "podium" : "trec";
  Convention convention =
      find_convention(arguments.convention.empty() ? usual : arguments.convention);
  if (arguments.relevant_from) convention.relevant_from = *arguments.relevant_from;
  if (arguments.ties == "expected") convention.ties = Ties::expected;
  if (arguments.ties == "stable") convention.ties = Ties::stable;
  if (arguments.ties == "docid") convention.ties = Ties::docid;
  if (arguments.empty == "zero") convention.empty = EmptyQuery::zero;
  if (arguments.empty == "one") convention.empty = EmptyQuery::one;
  if (arguments.empty == "skip") convention.empty = EmptyQuery::skip;
  return convention;
}

std::vector<MeasurePtr> chosen_measures(const EvalArguments& arguments,
                                        const Convention& convention) {
  const bool trec = arguments.format == "trec" || convention.name == "trec";
  if (!arguments.measures.empty())
    return trec ? parse_trec_measures(arguments.measures, convention)
                : parse_measures(arguments.measures, convention);
  return arguments.format == "trec" ? parse_trec_measures("official", convention)
                                    : parse_measures(kDefaultMeasures, convention);
}

// Seconds per task.
struct Timings {
  double read = 0, score = 0, evaluate = 0;
};

// Does the work, and adds its time.
template <class Work>
auto timed(double& seconds, Work&& work) {
  const auto began = std::chrono::steady_clock::now();
  auto result = work();
  seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return result;
}

std::vector<Named> evaluate_runs(const EvalArguments& arguments, const Evaluator& evaluator,
                                 Context& context, Timings& timings) {
  const Topics topics = arguments.complete ? Topics::judged : Topics::in_both;
  const TrecFile qrels = timed(timings.read, [&] { return read_qrels(arguments.qrels, context); });
  std::vector<Named> results;
  for (const std::string& path : arguments.runs) {
    const TrecFile run = timed(timings.read, [&] { return read_run(path, context); });
    results.push_back({arguments.format == "trec" ? std::string(run.run_id()) : stem(path),
                       timed(timings.evaluate, [&] {
                         return evaluate_run(evaluator, qrels, run, topics, context);
                       })});
  }
  return results;
}

std::vector<SavedModel> load_models(const EvalArguments& arguments) {
  std::vector<SavedModel> models;
  for (const std::string& path : arguments.models) {
    models.push_back(load_model(path));
    if (models.back().training.on_top_of_scores)
      throw Error(ErrorCode::usage,
                  fmt::format("{} was trained on top of scores: compute its scores with `podium "
                              "score --init`, and evaluate those with --scores",
                              path));
  }
  return models;
}

std::vector<Named> evaluate_data(const EvalArguments& arguments, const Evaluator& evaluator,
                                 Context& context, Timings& timings) {
  const auto models = timed(timings.read, [&] { return load_models(arguments); });
  const Dataset data = timed(
      timings.read, [&] { return arguments.reading.read_for(models, arguments.data, context); });
  note_labels(data.labels(), evaluator.measures(), context);
  std::vector<Named> results;
  const auto add = [&](const std::string& path, const std::vector<double>& scores) {
    note_tied_work(evaluator, data, scores, context);
    results.push_back({stem(path), timed(timings.evaluate, [&] {
                         return evaluator.evaluate(data, scores, context);
                       })});
  };
  for (std::size_t i = 0; i < models.size(); ++i) {
    note_scoring_device(models[i], arguments.models[i], context);
    add(arguments.models[i], timed(timings.score, [&] { return score(models[i], data, context); }));
  }
  for (const std::string& path : arguments.scores)
    add(path, timed(timings.read, [&] { return read_scores(path, data); }));
  return results;
}

// TSV: name, qid, and one column per measure; empty for skipped queries.
void write_per_query(const Evaluator& evaluator, const std::vector<Named>& results,
                     const EvalArguments& arguments) {
  OutputFile file(arguments.per_query);
  if (arguments.format == "trec") {
    for (const Named& result : results)
      file.write(
          format_trec(evaluator, result.evaluation, result.name, TrecLines::topics_and_summary));
    file.commit();
    return;
  }
  file.write(fmt::format("name\tqid\t{}\n", fmt::join(results[0].evaluation.measures, "\t")));
  for (const auto& [name, evaluation] : results)
    for (std::size_t q = 0; q < evaluation.qids.size(); ++q) {
      std::string line = fmt::format("{}\t{}", printable(name), printable(evaluation.qids[q]));
      for (const auto& values : evaluation.per_query)
        line += std::isnan(values[q]) ? "\t" : fmt::format("\t{}", values[q]);
      file.write(line + "\n");
    }
  file.commit();
}

Json results_json(const std::vector<Named>& results, const Convention& convention) {
  Json list = Json::array();
  for (const auto& [name, evaluation] : results) {
    Json measures = Json::object();
    for (std::size_t m = 0; m < evaluation.measures.size(); ++m)
      measures[evaluation.measures[m]] = number_or_null(evaluation.values[m]);
    list.push_back({{"name", name}, {"measures", measures}});
  }
  return {{"results", list},
          {"queries", results[0].evaluation.queries},
          {"empty", results[0].evaluation.empty},
          {"convention", convention.text()}};
}

Json timings_json(const Timings& timings) {
  Json json = {{"read", timings.read}, {"evaluate", timings.evaluate}};
  if (timings.score > 0) json["score"] = timings.score;
  return json;
}

std::string results_text(const std::vector<Named>& results, const Convention& convention) {
  std::string text;
  for (const auto& [name, evaluation] : results)
    for (std::size_t m = 0; m < evaluation.measures.size(); ++m)
      text += fmt::format("{}\t{}\t{:.{}f}\n", evaluation.measures[m], printable(name),
                          evaluation.values[m], convention.decimals);
  return text + fmt::format("# queries {}, without relevant {}, convention {}\n",
                            results[0].evaluation.queries, results[0].evaluation.empty,
                            convention.text());
}

void check(const EvalArguments& arguments, const Frame& frame) {
  const auto usage = [](const char* message) { throw Error(ErrorCode::usage, message); };
  if (arguments.qrels.empty() != arguments.runs.empty())
    usage("--qrels and --run must be given together");
  if (arguments.qrels.empty() && arguments.data.empty())
    usage("nothing to evaluate on: give --data FILE, or --qrels FILE and --run FILE");
  if (!arguments.qrels.empty() && !arguments.data.empty())
    usage("--data and --qrels cannot be combined");
  if (!arguments.data.empty() && arguments.models.empty() && arguments.scores.empty())
    usage("nothing to evaluate: give --model FILE or --scores FILE");
  if (!arguments.baseline.empty() && arguments.format == "trec")
    usage("--baseline needs --format text or --json");
  if (!arguments.baseline.empty() && arguments.per_query == "-")
    usage("--baseline and --per-query - both write to standard output: give --per-query a file");
  if (arguments.complete && arguments.qrels.empty()) usage("--complete needs --qrels and --run");
  if (arguments.timings && !frame.json()) usage("--timings needs --json");
  arguments.clicks.check();
  if (arguments.clicks.given() && arguments.data.empty()) usage("--clicks needs --data FILE");
  if (arguments.clicks.given() && (!arguments.measures.empty() || !arguments.baseline.empty() ||
                                   !arguments.per_query.empty() || arguments.format != "text"))
    usage(
        "--clicks estimates --value, and compares with the first model: leave out --measures, "
        "--baseline, --per-query and --format");
  if (const Assignments reading = arguments.reading.given();
      !arguments.qrels.empty() && !reading.empty())
    throw Error(ErrorCode::usage, fmt::format("--{} needs --data", reading[0].first));
}

void run(const EvalArguments& arguments, Frame& frame) {
  check(arguments, frame);
  if (arguments.clicks.given())
    return arguments.clicks.run(arguments.data, arguments.models, arguments.scores,
                                arguments.reading, frame);
  const Convention convention = chosen_convention(arguments);
  const Evaluator evaluator(chosen_measures(arguments, convention), convention, arguments.limits);
  Context& context = frame.context();
  Timings timings;
  const std::vector<Named> results = arguments.qrels.empty()
                                         ? evaluate_data(arguments, evaluator, context, timings)
                                         : evaluate_runs(arguments, evaluator, context, timings);
  if (!arguments.per_query.empty()) write_per_query(evaluator, results, arguments);
  if (arguments.per_query == "-") return;
  std::vector<BaselineTest> tests;
  if (!arguments.baseline.empty())
    tests = test_against(arguments.baseline, results, evaluator.measures(), context);
  if (frame.json()) {
    Json json = results_json(results, convention);
    if (!arguments.baseline.empty()) json["comparisons"] = baseline_json(tests, arguments.baseline);
    if (arguments.timings) json["phases"] = timings_json(timings);
    return frame.print_report(std::move(json));
  }
  if (arguments.format == "text")
    return print(results_text(results, convention) + baseline_text(tests, arguments.baseline));
  for (const Named& result : results)
    print(format_trec(evaluator, result.evaluation, result.name, TrecLines::summary));
}

}  // namespace

std::function<void()> declare_eval(CLI::App& command, Frame& frame) {
  auto arguments = std::make_shared<EvalArguments>();
  command.add_option("--data", arguments->data, "data with labels")->type_name("FILE");
  command.add_option("--model", arguments->models, "models to evaluate")->type_name("FILE");
  command
      .add_option("--scores", arguments->scores, "score files: one number per line, in row order")
      ->type_name("FILE");
  command.add_option("--qrels", arguments->qrels, "TREC judgements")->type_name("FILE");
  command.add_option("--run", arguments->runs, "TREC runs")->type_name("FILE");
  command.add_option("--measures", arguments->measures,
                     std::string("comma-separated; `podium measures` lists them (default ") +
                         kDefaultMeasures + ")");
  std::string names;
  for (const Convention& c : conventions()) names += (names.empty() ? "" : ", ") + c.name;
  command.add_option(
      "--convention", arguments->convention,
      "convention for computing measures: " + names + " (default podium; trec with --qrels)");
  command.add_option("--relevant-from", arguments->relevant_from,
                     "lowest grade that counts as relevant (default: the convention's)");
  command.add_option("--ties", arguments->ties, "how to rank tied scores: expected, stable, docid")
      ->check(one_of({"expected", "stable", "docid"}));
  command
      .add_option("--empty", arguments->empty,
                  "value of a query without relevant documents: zero, one, skip")
      ->check(one_of({"zero", "one", "skip"}));
  command
      .add_option("--depth", arguments->limits.depth,
                  "evaluate only the M best documents of each query")
      ->check(CLI::Range(1, 1'000'000'000))
      ->type_name("M");
  command
      .add_option("--per-host", arguments->limits.per_host,
                  "evaluate only the N best documents of each host")
      ->check(CLI::Range(1, 1'000'000'000))
      ->type_name("N");
  command.add_flag("--complete", arguments->complete,
                   "average over all judged topics (trec_eval -c)");
  command
      .add_option("--per-query", arguments->per_query,
                  "write each query's values as TSV; - is stdout")
      ->type_name("FILE");
  command.add_option("--baseline", arguments->baseline,
                     "name of the model, score file or run to test all others against");
  command.add_option("--format", arguments->format, "text, or trec: trec_eval's names and layout")
      ->check(one_of({"text", "trec"}));
  command.add_flag("--timings", arguments->timings,
                   "with --json: report the seconds spent reading, scoring and evaluating");
  arguments->clicks.add(command);
  arguments->reading.add(command);
  frame.add_profile_option(command);
  frame.add_device_option(command);
  return [arguments, &frame] { run(*arguments, frame); };
}

}  // namespace podium::cli

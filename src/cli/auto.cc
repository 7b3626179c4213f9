// podium auto: the best ranker within a budget, with an honest estimate of how good it is.
#include "podium/auto.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/data_options.h"
#include "cli/flags.h"
#include "cli/model_file.h"
#include "cli/repeating_words.h"
#include "core/counted.h"
#include "data/formats/column_options.h"
#include "experiments/report/report.h"
#include "experiments/report/tables.h"
#include "podium/data_io.h"
#include "podium/error.h"
#include "podium/version.h"

namespace podium::cli {
namespace {

struct AutoArguments {
  std::string data, valid, output, replay, report;
  ModelFile model;
  DataOptions reading;
  FieldOptions options;
};

std::string value_text(const Json& value) {
  return value.is_number() ? fmt::format("{:.6f}", value.get<double>()) : "-";
}

std::string options_text(const Json& options) {
  std::vector<std::string> words;
  for (const auto& [name, value] : options.items())
    words.push_back(name + "=" + (value.is_string() ? value.get<std::string>() : value.dump()));
  return fmt::format("{}", fmt::join(words, " "));
}

Table leaderboard_table(const Json& summary, const std::string& measure) {
  Table table;
  table.header = {"learner", "out-of-fold " + measure, "weight", "without it", "options"};
  const auto find = [](const Json& list, const Json& learner) {
    for (const Json& one : list)
      if (one["learner"] == learner) return one;
    return Json();
  };
  for (const Json& row : summary["leaderboard"]) {
    const Json member = find(summary["chosen"], row["learner"]);
    const Json without = find(summary["without"], row["learner"]);
    table.rows.push_back(
        {{row["learner"].get<std::string>()},
         {value_text(row["value"])},
         {member.is_null() ? "-" : fmt::format("{:.3f}", member["weight"].get<double>())},
         {without.is_null() ? "-" : value_text(without["value"])},
         {options_text(member.is_null() ? row["options"] : member["options"])}});
  }
  return table;
}

Table estimate_table(const Json& estimate, const std::string& name) {
  Table table;
  table.header = {"system", "estimate", "90% interval", "difference", "p"};
  const auto interval = [](const Json& json) {
    return value_text(json["low"]) + " to " + value_text(json["high"]);
  };
  table.rows.push_back({{name}, {value_text(estimate["value"])}, {interval(estimate)}, {""}, {""}});
  for (const Json& other : estimate["against"])
    table.rows.push_back(
        {{other["system"].get<std::string>()},
         {value_text(other["value"])},
         {interval(other)},
         {other["difference"].is_number()
              ? fmt::format("{:+.6f}", other["difference"].get<double>())
              : "-"},
         {other["p"].is_number() ? fmt::format("{:.4f}", other["p"].get<double>()) : "-"}});
  return table;
}

// What the estimate was extrapolated from.
void print_curve(const Json& estimate) {
  if (estimate.is_null() || estimate["learning_curve"].empty()) return;
  std::string text;
  for (const Json& point : estimate["learning_curve"])
    text += fmt::format("{} trained on {:.0f} % of the queries, ", value_text(point["value"]),
                        100 * point["share"].get<double>());
  print(fmt::format("# {}{} extrapolated to all\n", text, value_text(estimate["value"])));
}

// Learners without the runs of each, as "mcrank, svm-map".
std::string names_of(const Json& runs) {
  std::vector<std::string> names;
  for (const Json& run : runs) {
    const std::string candidate = run["candidate"];
    const std::string name = candidate.substr(0, candidate.find('('));
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

// What there was no time for, and what failed.
void print_shortened(const Json& summary) {
  const Json& budget = summary["budget"];
  if (!budget["not_tried"].empty())
    print(fmt::format("# not tried before the time was over or the search was stopped: {}\n",
                      fmt::join(budget["not_tried"].get<std::vector<std::string>>(), ", ")));
  if (!budget["cut"].empty())
    print(fmt::format("# {} ended by the time, with the best model so far: {}\n",
                      counted(budget["cut"].size(), "training run"), names_of(budget["cut"])));
  Json slow = Json::array(), failed = Json::array();
  for (const Json& run : summary["not_judged"])
    (run["reason"] == "too slow" ? slow : failed).push_back(run);
  if (!slow.empty())
    print(fmt::format("# {} given up without a model, for want of time: {}\n",
                      counted(slow.size(), "training run"), names_of(slow)));
  if (!failed.empty())
    print(fmt::format("# {} failed: {} ({})\n", counted(failed.size(), "training run"),
                      names_of(failed), failed[0]["reason"].get<std::string>()));
}

void report_auto(const Json& summary, Frame& frame) {
  if (frame.json()) return print_json(summary);
  const std::string measure = summary["measure"];
  print(render(leaderboard_table(summary, measure), TableFormat::text) + "\n");
  if (summary.contains("latency_front"))
    for (const Json& point : summary["latency_front"])
      print(fmt::format("latency {:.3f} us\t{} {}\n", point["microseconds"].get<double>(), measure,
                        value_text(point["value"])));
  const Json& estimate = summary["estimate"];
  if (estimate.is_null())
    print("no estimate: there was no time for one\n");
  else
    print(render(estimate_table(estimate, summary["chosen"].size() > 1 ? "blend" : "chosen"),
                 TableFormat::text) +
          fmt::format("# {} from {} that chose nothing of it, {} trained for the estimate alone\n",
                      measure, counted(estimate["folds"].get<std::size_t>(), "fold"),
                      counted(estimate["extra_training_runs"].get<std::size_t>(), "model")));
  print_curve(estimate);
  print_shortened(summary);
  print(fmt::format("# {}, {}, {:.1f} seconds\n",
                    counted(summary["trials"].get<std::size_t>(), "trial"),
                    counted(summary["training_runs"].get<std::size_t>(), "training run"),
                    summary["seconds"].get<double>()));
}

void run_auto(const AutoArguments& arguments, Frame& frame) {
  const auto& table = auto_option_table();
  const Assignments given = arguments.options.given();
  const AutoOptions options = table.read(Settings(table.fields(), given));
  const auto has = [&](std::string_view name) {
    return std::any_of(given.begin(), given.end(),
                       [&](const auto& one) { return one.first == name; });
  };
  if (has("trials") && has("seconds"))
    throw Error(ErrorCode::usage, "--trials and --seconds cannot be combined");
  if (!arguments.replay.empty() && (has("trials") || has("seconds")))
    throw Error(ErrorCode::usage,
                "--replay does as many trials as its log: leave out --trials and --seconds");
  if (arguments.model.path.empty()) throw Error(ErrorCode::usage, "--model is missing");
  if (arguments.valid.empty())
    require_columns_used(arguments.reading.options(), {arguments.data});
  else
    require_columns_used(arguments.reading.options(), {arguments.data, arguments.valid});
  arguments.model.require_replaceable();
  if (!arguments.report.empty()) check_report(arguments.report, arguments.data);
  frame.stop_on_signal();
  Context& context = frame.context();
  const Dataset train = read_dataset(arguments.data, arguments.reading.options(), context);
  std::optional<Dataset> valid;
  if (!arguments.valid.empty())
    valid = read_dataset(arguments.valid, arguments.reading.options(), context);
  const AutoRun run{arguments.output, PODIUM_VERSION, arguments.replay,
                    std::filesystem::path(arguments.data).filename().string(),
                    repeating_words(frame.arguments())};
  const AutoResult result = find_ranker(options, run, train, valid ? &*valid : nullptr, context);
  save_model(result.model, arguments.model.path);
  if (!arguments.report.empty()) write_auto_report(result.summary, arguments.report);
  report_auto(Json::parse(result.summary), frame);
  if (result.stopped) frame.ended_early();
}

}  // namespace

std::function<void()> declare_auto(CLI::App& command, Frame& frame) {
  auto arguments = std::make_shared<AutoArguments>();
  command.add_option("--data", arguments->data, "training data")->required()->type_name("FILE");
  command
      .add_option("--valid", arguments->valid,
                  "data to judge candidates by (default: folds of the training data)")
      ->type_name("FILE");
  arguments->model.add(command, "file to save the ranker in");
  command
      .add_option("-o,--output", arguments->output,
                  "folder for everything that is trained; an interrupted run is resumed")
      ->type_name("DIR");
  command
      .add_option("--report", arguments->report,
                  "write what was tried, the blend and the estimate as a single HTML file")
      ->type_name("FILE");
  command
      .add_option("--replay", arguments->replay,
                  "log.json of an earlier run's folder: the same trials give the same model")
      ->type_name("FILE");
  arguments->options.add(command, auto_option_table().fields(), "Search");
  arguments->reading.add(command);
  frame.add_device_option(command);
  return [arguments, &frame] { run_auto(*arguments, frame); };
}

}  // namespace podium::cli

// podium compare: cross-validated experiments, resumable, with tables, report and a live page.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/data_options.h"
#include "cli/flags.h"
#include "cli/repeating_words.h"
#include "cli/wait_for_stop.h"
#include "core/counted.h"
#include "experiments/comparison/outside_scores.h"
#include "experiments/report/report.h"
#include "experiments/report/result_tables.h"
#include "podium/error.h"
#include "podium/experiment.h"
#include "podium/version.h"
#include "server/live_page.h"

namespace podium::cli {
namespace {

namespace fs = std::filesystem;

struct CompareArguments {
  std::string data, learners, output, folds_to, report, memory, format = "text";
  std::vector<std::string> scores;
  int watch = -1;
  FieldOptions options;
  DataOptions reading;
};

// "8G", "500M": bytes.
std::size_t parse_bytes(const std::string& text) {
  if (text.empty()) return 0;
  std::size_t used = 0;
  double number = 0;
  if (!CLI::detail::lexical_cast(text.substr(0, text.find_first_not_of("0123456789.")), number))
    number = 0;
  used = std::min(text.find_first_not_of("0123456789."), text.size());
  const std::string unit = text.substr(used);
  const double factor = unit == "K"    ? 0x1.0p10
                        : unit == "M"  ? 0x1.0p20
                        : unit == "G"  ? 0x1.0p30
                        : unit == "T"  ? 0x1.0p40
                        : unit.empty() ? 1
                                       : 0;
  const double bytes = number * factor;
  if (!(bytes >= 1) || !(bytes < 1e18))
    throw Error(ErrorCode::usage,
                fmt::format("--memory: '{}' is not a size like 500M or 8G", text));
  return static_cast<std::size_t>(bytes);
}

// The given folder, or a temporary one that is deleted with this object.
class OutputFolder {
 public:
  OutputFolder(const std::string& wanted, Context& context) : path_(wanted) {
    if (!wanted.empty()) return;
    std::string pattern = (fs::temp_directory_path() / "podium-compare-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw Error(ErrorCode::file, "cannot be made", {pattern});
    path_ = pattern;
    temporary_ = true;
    context.observer.note("no -o DIR was given: results and models are not saved");
  }
  ~OutputFolder() {
    std::error_code ignored;
    if (temporary_) fs::remove_all(path_, ignored);
  }
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;
  const fs::path& path() const noexcept { return path_; }

 private:
  fs::path path_;
  bool temporary_ = false;
};

// CSV has one table, and the text below tables becomes notes, because a parser reads the whole
// output.
void print_csv(const Table& table, Observer& observer) {
  print(render(table, TableFormat::csv));
  for (const std::string& note : table.notes) observer.note(note);
}

void print_results(const fs::path& folder, const std::string& format, Observer& observer) {
  std::ifstream file(folder / "results.json");
  const Json results = Json::parse(file);
  if (format == "json") return print_json(results_summary(results));
  if (format == "csv") return print_csv(joined_table(results), observer);
  const TableFormat how = format == "markdown" ? TableFormat::markdown
                          : format == "latex"  ? TableFormat::latex
                                               : TableFormat::text;
  print(render(measure_table(results), how));
  if (results["systems"].size() > 1) print("\n" + render(baseline_table(results), how));
}

// Those of --learners, and of --scores as they are written there.
std::string systems_of(const CompareArguments& arguments) {
  std::string systems = arguments.learners;
  for (const std::string& one : arguments.scores) {
    const std::size_t equals = one.find('=');
    if (equals == 0 || equals == one.npos || equals + 1 == one.size())
      throw Error(ErrorCode::usage, fmt::format("--scores {}: write NAME=FILE", one));
    OutsideScores(one.substr(equals + 1));  // what is wrong with it is said now, not after hours
    systems += fmt::format("{}{}=scores:{}", systems.empty() ? "" : ",", one.substr(0, equals),
                           one.substr(equals + 1));
  }
  if (systems.empty()) throw Error(ErrorCode::usage, "--learners is required");
  return systems;
}

// Rejects options that have no effect with the chosen design.
void check_design(const CompareArguments& arguments) {
  const Assignments given = arguments.options.given();
  const auto has = [&](std::string_view name) {
    return std::any_of(given.begin(), given.end(),
                       [&](const auto& one) { return one.first == name; });
  };
  const auto refuse = [](const char* message) { throw Error(ErrorCode::usage, message); };
  if (fs::is_directory(arguments.data)) {
    if (has("folds")) refuse("--folds needs a single data file: a folder already has its folds");
    if (!arguments.folds_to.empty()) refuse("--write-folds needs a single data file");
  }
  if (has("trials") && has("folds")) refuse("--trials and --folds cannot be combined");
  if (!has("trials") && (has("train-queries") || has("valid-queries")))
    refuse("--train-queries and --valid-queries need --trials");
  if (!has("tune") && has("search")) refuse("--search needs --tune");
}

void run(const CompareArguments& arguments, Frame& frame) {
  const auto& table = comparison_option_table();
  ComparisonOptions options = table.read(Settings(table.fields(), arguments.options.given()));
  options.data = arguments.data;
  options.learners = systems_of(arguments);
  ComparisonRun where;
  where.memory_bytes = parse_bytes(arguments.memory);
  where.reading = arguments.reading.options();
  where.folds_to = arguments.folds_to;
  where.command = repeating_words(frame.arguments());
  where.version = PODIUM_VERSION;
  where.spelling = as_flag;
  check_design(arguments);
  if (!arguments.report.empty()) check_report(arguments.report, arguments.data);
  frame.stop_on_signal();
  Context& context = frame.context();
  const OutputFolder folder(arguments.output, context);
  where.folder = folder.path();
  std::optional<LivePage> page;
  if (arguments.watch >= 0) {
    page.emplace(folder.path(), "127.0.0.1", arguments.watch);
    context.observer.note("results appear as they are computed at " + page->url());
  }
  const ComparisonOutcome outcome = compare(options, where, context);
  const std::size_t finished = outcome.done + outcome.failed;
  if (finished < outcome.cells)
    frame.stopped(
        fmt::format("stopped: {} of {} finished{}", finished, counted(outcome.cells, "cell"),
                    arguments.output.empty() ? "" : "; run the same command again to continue"));
  if (!arguments.report.empty()) write_report(folder.path(), arguments.report);
  print_results(folder.path(), frame.json() ? "json" : arguments.format, context.observer);
  if (page && !context.stop.stop_requested()) {
    std::fflush(stdout);
    context.observer.note("complete; shown at " + page->url() + " until Ctrl-C");
    wait_for_stop(context.stop);
  }
  if (outcome.done == 0) throw Error(ErrorCode::training, "every cell failed");
}

}  // namespace

std::function<void()> declare_compare(CLI::App& command, Frame& frame) {
  auto arguments = std::make_shared<CompareArguments>();
  command
      .add_option(
          "--data", arguments->data,
          "a folder with Fold1, Fold2, … (train, vali, test), or one file to split by query")
      ->required()
      ->type_name("DIR|FILE");
  command.add_option(
      "--learners", arguments->learners,
      "systems to compare, e.g. lambdamart,svm-map(C=1),feature,feature#2,feature:25; "
      "NAME=LEARNER(…) names a system");
  command
      .add_option("--scores", arguments->scores,
                  "systems that were trained elsewhere: NAME=FILE, a TSV file with the columns qid "
                  "and score, and docid or fold")
      ->type_name("NAME=FILE");
  command
      .add_option("-o,--output", arguments->output,
                  "results folder; an interrupted comparison is resumed")
      ->type_name("DIR");
  command.add_option("--report", arguments->report, "write the report as a single HTML file")
      ->type_name("FILE");
  command
      .add_option(
          "--watch", arguments->watch,
          "serve the results on this port as they are computed, and afterwards until Ctrl-C")
      ->check(CLI::Range(0, 65535))
      ->type_name("PORT");
  command
      .add_option("--format", arguments->format,
                  "table format; csv: both tables as one, with one row per system")
      ->check(one_of({"text", "markdown", "latex", "csv", "json"}));
  command
      .add_option("--memory", arguments->memory,
                  "memory limit: a cell starts only if all running cells are expected to stay "
                  "below it (default: three quarters of the machine's memory)")
      ->type_name("SIZE");
  command
      .add_option("--write-folds", arguments->folds_to,
                  "also write the folds of a split file to this folder")
      ->type_name("DIR");
  arguments->options.add(command, comparison_option_table().fields(), "The comparison");
  arguments->reading.add(command);
  frame.add_device_option(command);
  return [arguments, &frame] { run(*arguments, frame); };
}

}  // namespace podium::cli

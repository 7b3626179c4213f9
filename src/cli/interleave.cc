// podium interleave make | analyse: lists of two rankers in one, and which of them users prefer.
#include <array>

#include <fmt/format.h>

#include "cli/click_files.h"
#include "cli/command.h"
#include "cli/run_files.h"
#include "core/counted.h"
#include "core/output_file.h"
#include "podium/error.h"
#include "podium/interleaving.h"

namespace podium::cli {
namespace {

constexpr std::array<const char*, 2> kInterleaveActions = {"make", "analyse"};

constexpr const char* kInterleaveHelp =
    "  make      interleaves the lists of two TREC runs, a and b\n"
    "  analyse   the verdict of a click log of such lists\n"
    "podium interleave ACTION --help shows the options of one.\n"
    "A list depends on the seed, the session, the query and the runs, and on nothing else. Lists\n"
    "have the columns session, qid, docid, position and owner (a or b); with a column click they\n"
    "are the log to analyse. A session is won by the run whose documents have more clicks.";

struct InterleaveArguments {
  std::string action, output, session_list, log;
  RunFiles runs;
  std::int64_t sessions = 1;
  double alpha = 0.05;
  std::int64_t max_clicks = 0;
  FieldOptions fields;
};

InterleavingOptions interleaving_options(const InterleaveArguments& arguments) {
  const auto& table = interleaving_option_table();
  return table.read(Settings(table.fields(), arguments.fields.given()));
}

InterleavedRankers rankers_of(const InterleaveArguments& arguments, Interleaving method,
                              Context& context) {
  if (arguments.runs.paths().size() != 2)
    throw Error(ErrorCode::usage, fmt::format("--runs needs two runs, a and b, not {}",
                                              arguments.runs.paths().size()));
  const std::vector<TrecFile> runs = arguments.runs.read(context);
  return {rankings_of(runs[0]), rankings_of(runs[1]), method, context.seed};
}

// ── make

std::vector<SessionOfQuery> sessions_of_topics(const InterleavedRankers& rankers, std::int64_t each,
                                               Context& context) {
  std::vector<SessionOfQuery> sessions;
  std::size_t common = 0;
  for (const auto& [query, ranking] : rankers.a) {
    if (!rankers.has(query)) continue;
    ++common;
    for (std::int64_t s = 1; s <= each; ++s)
      sessions.push_back({fmt::format("{}-{}", query, s), query});
  }
  const std::size_t alone = rankers.a.size() + rankers.b.size() - 2 * common;
  if (common == 0) throw Error(ErrorCode::data, "the runs have no topic in common");
  if (alone > 0)
    context.observer.note(
        fmt::format("{} left out: only in one of the runs", counted(alone, "topic")));
  return sessions;
}

void make_lists(const InterleaveArguments& arguments, Frame& frame) {
  require_free_stdout(arguments.output, frame);
  const InterleavingOptions options = interleaving_options(arguments);
  Context& context = frame.context();
  if (arguments.output != "-") require_writable(arguments.output);
  const InterleavedRankers rankers = rankers_of(arguments, options.method, context);
  const std::vector<SessionOfQuery> sessions =
      arguments.session_list.empty() ? sessions_of_topics(rankers, arguments.sessions, context)
                                     : read_session_list(arguments.session_list, context);
  const std::uint64_t lines = write_interleaved(
      rankers, sessions, static_cast<std::size_t>(options.depth), arguments.output, context);
  if (arguments.output == "-") return;
  const std::string method = choice_name(interleavings(), options.method);
  if (frame.json())
    return print_json({{"file", arguments.output},
                       {"method", method},
                       {"sessions", sessions.size()},
                       {"lines", lines},
                       {"seed", context.seed}});
  print_written(fmt::format("{}: {}, {}, {}\n", arguments.output, method,
                            counted(sessions.size(), "session"), counted(lines, "line")),
                frame);
}

// ── analyse

std::string verdict_text(const InterleavingVerdict& verdict, double alpha) {
  std::string text =
      fmt::format("{} of {}: a won {}, b won {}, {}\n", counted(verdict.sessions, "session"),
                  counted(verdict.queries, "query", "queries"), verdict.a_wins, verdict.b_wins,
                  counted(verdict.ties, "tie"));
  text += fmt::format("preference\t{:+.6f}\t[{:+.6f}, {:+.6f}]\n", verdict.preference,
                      verdict.interval.low, verdict.interval.high);
  text += fmt::format("sequential p\t{:.4g}\n", verdict.sequential_p);
  text += fmt::format("sign test p\t{:.4g}\n", verdict.sign_p);
  const char* const winner = verdict.preference > 0 ? "a" : "b";
  text += !verdict.decided_after
              ? fmt::format("# no preference at level {} so far\n", alpha)
              : fmt::format("# {} is preferred at level {}; decided after {}\n", winner, alpha,
                            counted(*verdict.decided_after, "session"));
  return text +
         "# preference: 1 if a always wins, -1 if b does; interval by bootstrap of the queries\n"
         "# the sequential p may be looked at after every session, the sign test once, at a number "
         "of sessions fixed before\n";
}

void analyse_log(const InterleaveArguments& arguments, Frame& frame) {
  const InterleavingOptions options = interleaving_options(arguments);
  if (!arguments.runs.given() && !arguments.fields.given().empty())
    throw Error(ErrorCode::usage,
                fmt::format("--{} needs --runs", arguments.fields.given()[0].first));
  Context& context = frame.context();
  std::optional<InterleavedRankers> rankers;
  if (arguments.runs.given()) rankers = rankers_of(arguments, options.method, context);
  const InterleavingVerdict verdict = analyse_interleaved_log(
      arguments.log, rankers ? &*rankers : nullptr, arguments.alpha, context, arguments.max_clicks);
  if (!frame.json()) return print(verdict_text(verdict, arguments.alpha));
  print_json(
      {{"sessions", verdict.sessions},
       {"queries", verdict.queries},
       {"a_wins", verdict.a_wins},
       {"b_wins", verdict.b_wins},
       {"ties", verdict.ties},
       {"preference", verdict.preference},
       {"interval", {verdict.interval.low, verdict.interval.high}},
       {"sequential_p", verdict.sequential_p},
       {"sign_p", verdict.sign_p},
       {"alpha", arguments.alpha},
       {"bots", verdict.bots},
       {"all_clicked", verdict.all_clicked},
       {"decided_after", verdict.decided_after ? Json(*verdict.decided_after) : Json(nullptr)}});
}

void declare_make(CLI::App& command, InterleaveArguments& arguments) {
  arguments.runs.add(command, "the two TREC runs, a and b")->required();
  CLI::Option* const number =
      command
          .add_option("--sessions", arguments.sessions,
                      "lists to make for each topic, of sessions TOPIC-1, TOPIC-2, … (default 1)")
          ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}));
  command
      .add_option("--session-list", arguments.session_list,
                  "instead: a TSV or CSV file with the columns session and qid")
      ->type_name("FILE")
      ->excludes(number);
  command.add_option("-o,--output", arguments.output, "the lists (.tsv, .tsv.gz); - is stdout")
      ->required()
      ->type_name("FILE");
  arguments.fields.add(command, interleaving_option_table().fields(), "Interleaving");
}

void declare_analyse(CLI::App& command, InterleaveArguments& arguments) {
  command
      .add_option("--clicks", arguments.log,
                  "click log (TSV or CSV) of interleaved lists, sessions in the order of time")
      ->required()
      ->type_name("FILE");
  arguments.runs.add(command,
                     "find the owners again from these runs, --method and --seed, and check that "
                     "the log shows their lists; else the log needs a column owner");
  command
      .add_option("--alpha", arguments.alpha,
                  "level of the sequential test: the probability of ever seeing a preference "
                  "where there is none (default 0.05)")
      ->check(CLI::Range(1e-9, 0.5));
  command
      .add_option("--max-clicks", arguments.max_clicks,
                  "drop sessions with more clicks, as of robots; 0: none (default 0)")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1'000'000'000}));
  std::vector<Field> fields = interleaving_option_table().fields();
  std::erase_if(fields, [](const Field& field) { return field.name != "method"; });
  arguments.fields.add(command, fields, "Interleaving");
}

}  // namespace

std::function<void()> declare_interleave(CLI::App& command, Frame& frame) {
  auto arguments = std::make_shared<InterleaveArguments>();
  command.add_option("ACTION", arguments->action, "make or analyse")
      ->required()
      ->check(one_of({kInterleaveActions.begin(), kInterleaveActions.end()}));
  const std::string action = action_named(frame.arguments(), kInterleaveActions);
  if (action == "make") declare_make(command, *arguments);
  if (action == "analyse") declare_analyse(command, *arguments);
  if (action.empty()) command.footer(kInterleaveHelp);
  return [arguments, &frame] {
    if (arguments->action == "make") make_lists(*arguments, frame);
    if (arguments->action == "analyse") analyse_log(*arguments, frame);
  };
}

}  // namespace podium::cli

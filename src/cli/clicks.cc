// podium clicks inspect | fit | judge | report | simulate | convert: from a click log to
// propensities and judgements.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "cli/click_files.h"
#include "cli/clicks_convert.h"
#include "cli/clicks_report.h"
#include "cli/command.h"
#include "cli/data_options.h"
#include "core/counted.h"
#include "core/output_file.h"
#include "core/printable.h"
#include "podium/click_model.h"
#include "podium/click_simulation.h"
#include "podium/judgement.h"
#include "podium/model.h"

namespace podium::cli {
namespace {

constexpr std::array<const char*, 6> kActions = {"inspect", "fit",      "judge",
                                                 "report",  "simulate", "convert"};

constexpr const char* kActionHelp =
    "  inspect    click-through by position, and which positions the log connects\n"
    "  fit        fits a click model, and writes propensities\n"
    "  judge      what the clicks say about each document: judgements, or data to train on\n"
    "  report     a page about the log: click-through, what models make of it, values of rankers\n"
    "  simulate   writes a log with known truth, from judged data\n"
    "  convert    writes a log from queries and events of OpenSearch's UBI\n"
    "podium clicks ACTION --help shows the options of one.\n"
    "A log is TSV or CSV, also .gz or .zst, with a header and one line per document shown: "
    "session,\n"
    "qid, docid, position (from 1), click (0 or 1), and optionally propensity, weight, time. Lines "
    "of\n"
    "a session are contiguous.";

struct ClicksArguments {
  std::string action, output, ranker, thresholds, format = "tsv", propensities, data;
  double held_out = 0.1;
  ClickFiles clicks;
  DataOptions reading;
  FieldOptions fields;
  ClicksConvert convert;
  ClicksReport report;
};

std::string percent(double x) {
  return fmt::format("{:.2f} %", 100 * x);
}

// ── inspect

struct PositionCounts {
  std::vector<double> shown, clicked;
};
PositionCounts counts_by_position(const ClickLog& log) {
  PositionCounts counts{std::vector<double>(log.positions), std::vector<double>(log.positions)};
  for (const ClickCell& cell : log.cells) {
    counts.shown[cell.position - 1] += cell.shown;
    counts.clicked[cell.position - 1] += cell.clicked;
  }
  return counts;
}

void print_inspection(const ClickLog& log, const Connectivity& graph) {
  const PositionCounts counts = counts_by_position(log);
  print(fmt::format("{}, {}, {}, {} ({} by query, document and position)\n",
                    counted(log.session_count, "session"), counted(log.lines, "line"),
                    counted(log.queries(), "query", "queries"),
                    counted(log.documents(), "document"), log.cells.size()));
  std::string text =
      "position       shown     clicked  click-through  component  linked to the next\n";
  for (std::size_t p = 0; p < log.positions; ++p) {
    const bool never = graph.component[p] == Connectivity::kNever;
    text += fmt::format("{:8}  {:10.0f}  {:10.0f}  {:>13}  {:>9}  {:>18}\n", p + 1, counts.shown[p],
                        counts.clicked[p],
                        counts.shown[p] > 0 ? percent(counts.clicked[p] / counts.shown[p]) : "",
                        never ? "" : fmt::format("{}", graph.component[p] + 1),
                        p < graph.linked.size() ? fmt::format("{:.0f}", graph.linked[p]) : "");
  }
  const double clicks = std::accumulate(counts.clicked.begin(), counts.clicked.end(), 0.0);
  text +=
      clicks == 0 ? "The log has no clicks: it determines nothing.\n"
      : graph.components == 1
          ? "All positions are connected: the log determines the ratios of their propensities.\n"
          : fmt::format(
                "{} components: the log does not determine propensities across them. "
                "Documents shown at several positions, and clicked, connect them.\n",
                graph.components);
  if (log.backwards > 0)
    text += fmt::format(
        "{} before the session above, by the column time: click models do not depend on the order "
        "of sessions, but `podium interleave analyse` does.\n",
        log.backwards == 1 ? "1 session begins" : fmt::format("{} sessions begin", log.backwards));
  print(text);
}

void inspect_clicks(const ClicksArguments& arguments, Frame& frame) {
  const ClickLog log = arguments.clicks.read(nullptr, 0, KeptSessions::none, frame.context());
  const Connectivity graph = connectivity(log);
  if (!frame.json()) return print_inspection(log, graph);
  const PositionCounts counts = counts_by_position(log);
  Json positions = Json::array();
  for (std::size_t p = 0; p < log.positions; ++p)
    positions.push_back(
        {{"position", p + 1},
         {"shown", counts.shown[p]},
         {"clicked", counts.clicked[p]},
         {"component", graph.component[p] == Connectivity::kNever ? Json(nullptr)
                                                                  : Json(graph.component[p] + 1)}});
  print_json({{"sessions", log.session_count},
              {"lines", log.lines},
              {"queries", log.queries()},
              {"documents", log.documents()},
              {"cells", log.cells.size()},
              {"components", graph.components},
              {"linked", graph.linked},
              {"bots", log.bots},
              {"all_clicked", log.all_clicked},
              {"backwards", log.backwards},
              {"positions", positions}});
}

// ── fit

ClickFitOptions fit_options(const ClicksArguments& arguments) {
  const auto& table = click_fit_option_table();
  const ClickFitOptions options = table.read(Settings(table.fields(), arguments.fields.given()));
  const bool features = needs_features(options.model);
  for (const auto& [name, value] : arguments.fields.given())
    if (!features && (name == "relevance-learner" || name.starts_with("refit")))
      throw Error(ErrorCode::usage, fmt::format("--{} is for --model regression-em", name));
  if (features && arguments.data.empty())
    throw Error(ErrorCode::usage,
                "--model regression-em needs --data FILE: it learns relevance from the documents' "
                "features");
  return options;
}

KeptSessions kept_for(ClickModelKind kind) {
  return needs_sessions(kind) ? KeptSessions::distinct : KeptSessions::none;
}

std::string fit_text(const ClickModel& model, const ClickLog& log) {
  std::string text = "position  propensity  95 % interval";
  if (!model.slope.empty()) text += "           a           b";
  if (!model.continuation.empty()) text += "  continuation";
  text += "  perplexity\n";
  const ClickFit& shown = log.held_total > 0 ? model.held_out : model.training;
  for (std::size_t p = 0; p < model.propensities.size(); ++p) {
    text += fmt::format(
        "{:8}  {:10.4f}  {:>15}", p + 1, model.propensities[p],
        model.intervals.empty() || !std::isfinite(model.intervals[p].high)
            ? ""
            : fmt::format("{:.4f}–{:.4f}", model.intervals[p].low, model.intervals[p].high));
    if (!model.slope.empty())
      text += fmt::format("  {:10.4f}  {:10.4f}", model.slope[p], model.offset[p]);
    if (!model.continuation.empty()) text += fmt::format("  {:12.4f}", model.continuation[p]);
    text += fmt::format("  {:10.4f}\n", shown.by_position[p]);
  }
  const auto line = [&](const char* name, const ClickFit& fit, const ClickFit& null) {
    text += fmt::format(
        "# {}: log-likelihood {:.4f} per session (one rate {:.4f}), perplexity {:.4f} "
        "(one rate {:.4f})\n",
        name, fit.log_likelihood, null.log_likelihood, fit.perplexity, null.perplexity);
  };
  line("training", model.training, model.null_training);
  if (log.held_total > 0) line("held out", model.held_out, model.null_held_out);
  if (model.kind == ClickModelKind::dbn)
    text += fmt::format("# perseverance {:.4f}\n", model.perseverance);
  if (!model.relevance_learner.empty())
    text += fmt::format("# relevance by {}, seed {}, fitted {}, {}\n", model.relevance_learner,
                        model.seed, counted(static_cast<std::uint64_t>(model.refits), "time"),
                        model.ended);
  if (model.assumed)
    text += fmt::format("# ratios across the {} components are assumed, not estimated\n",
                        model.components);
  return text;
}

ClickModel fitted_model(const ClicksArguments& arguments, const ClickLog& log,
                        const ClickFitOptions& options, const Dataset* data, Context& context) {
  if (arguments.propensities.empty()) return fit_click_model(log, options, context, nullptr, data);
  const Propensities given = load_propensities(arguments.propensities);
  return fit_click_model(log, options, context, &given.examination, data);
}

void fit_clicks(const ClicksArguments& arguments, Frame& frame) {
  const ClickFitOptions options = fit_options(arguments);
  if (!needs_features(options.model) && !arguments.data.empty())
    throw Error(ErrorCode::usage, "--data is for --model regression-em");
  Context& context = frame.context();
  if (!arguments.output.empty()) require_writable(arguments.output);
  std::optional<Dataset> data;
  if (!arguments.data.empty()) data = arguments.reading.read(arguments.data, context);
  const ClickLog log = arguments.clicks.read(data ? &*data : nullptr, arguments.held_out,
                                             kept_for(options.model), context);
  const ClickModel model = fit_click_model(log, options, context, nullptr, data ? &*data : nullptr);
  const std::string json = to_json(model, log);
  if (!arguments.output.empty()) write_file(arguments.output, json);
  if (frame.json()) return print_json(Json::parse(json));
  print(fmt::format("{}, {}, prior Beta({})\n", choice_name(click_model_kinds(), model.kind),
                    counted(log.session_count, "session"), options.prior) +
        fit_text(model, log));
}

// ── judge

std::string qrels_text(const ClickLog& log, const std::vector<Judgement>& judged,
                       const std::vector<double>& thresholds) {
  std::string text;
  for (std::size_t d = 0; d < log.documents(); ++d)
    text += fmt::format("{} 0 {} {}\n", log.qids[log.query_of[d]], log.docids[d],
                        grade_of(judged[d].relevance, thresholds));
  return text;
}

std::string judgement_table(const ClickLog& log, const std::vector<Judgement>& judged,
                            const std::vector<double>& thresholds) {
  std::string text = "qid\tdocid\trelevance\tlow\thigh\texposure\tgrade\n";
  for (std::size_t d = 0; d < log.documents(); ++d)
    text += fmt::format("{}\t{}\t{:.6f}\t{:.6f}\t{:.6f}\t{:.3f}\t{}\n", log.qids[log.query_of[d]],
                        log.docids[d], judged[d].relevance, judged[d].low, judged[d].high,
                        judged[d].exposure, grade_of(judged[d].relevance, thresholds));
  return text;
}

void judge_clicks(const ClicksArguments& arguments, Frame& frame) {
  require_free_stdout(arguments.output, frame);
  const ClickFitOptions options = fit_options(arguments);
  const bool as_data = arguments.format == "data";
  if (as_data && arguments.data.empty())
    throw Error(ErrorCode::usage, "--format data needs --data FILE, the documents' features");
  if (!as_data && !needs_features(options.model) && !arguments.data.empty())
    throw Error(ErrorCode::usage, "--data needs --format data");
  std::vector<double> thresholds = parse_thresholds(arguments.thresholds);
  if (thresholds.empty() && !as_data) thresholds = parse_thresholds("0.2,0.4,0.6,0.8");
  Context& context = frame.context();
  std::optional<Dataset> data;
  if (!arguments.data.empty()) data = arguments.reading.read(arguments.data, context);
  const ClickLog log =
      arguments.clicks.read(data ? &*data : nullptr, 0, kept_for(options.model), context);
  const ClickModel model = fitted_model(arguments, log, options, data ? &*data : nullptr, context);
  const std::vector<Judgement> judged = judge(log, model);
  if (as_data)
    write_dataset(judged_data(*data, log, judged, thresholds), arguments.output, context);
  else
    write_file(arguments.output, arguments.format == "qrels"
                                     ? qrels_text(log, judged, thresholds)
                                     : judgement_table(log, judged, thresholds));
  if (arguments.output == "-") return;
  if (frame.json())
    return print_json({{"file", arguments.output},
                       {"model", choice_name(click_model_kinds(), model.kind)},
                       {"queries", log.queries()},
                       {"documents", log.documents()}});
  print_written(
      fmt::format("{}: {} of {} judged\n", arguments.output, counted(log.documents(), "document"),
                  counted(log.queries(), "query", "queries")),
      frame);
}

// ── simulate

std::vector<double> ranker_scores(const std::string& ranker, const Dataset& data,
                                  Context& context) {
  constexpr std::string_view kFeature = "feature:";
  if (!ranker.starts_with(kFeature)) return score(load_model(ranker), data, context);
  const std::string name = ranker.substr(kFeature.size());
  const auto& names = data.feature_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw Error(ErrorCode::usage, fmt::format("--ranker: the data has no feature '{}'{}", name,
                                              suggestion(name, names)));
  std::vector<float> row(data.features());
  std::vector<double> scores;
  for (std::size_t q = 0; q < data.queries(); ++q)
    for (std::size_t d = 0; d < data.rows(q).documents(); ++d) {
      data.rows(q).copy(d, row);
      const double value = row[static_cast<std::size_t>(found - names.begin())];
      scores.push_back(value == value ? value : 0);
    }
  return scores;
}

void simulate(const ClicksArguments& arguments, Frame& frame) {
  require_free_stdout(arguments.output, frame);
  const auto& table = simulation_option_table();
  const SimulationOptions options = table.read(Settings(table.fields(), arguments.fields.given()));
  Context& context = frame.context();
  if (arguments.output != "-") require_writable(arguments.output);
  const Dataset data = arguments.reading.read(arguments.data, context);
  const std::vector<double> scores = ranker_scores(arguments.ranker, data, context);
  context.observer.phase("simulating sessions");
  const SimulationTruth truth = simulate_clicks(data, scores, options, arguments.output, context);
  if (arguments.output == "-") return;
  if (!frame.json())
    return print_written(fmt::format("{}: {}, {}, {}\n", arguments.output,
                                     counted(static_cast<std::size_t>(options.sessions), "session"),
                                     counted(truth.lines, "line"), counted(truth.clicks, "click")),
                         frame);
  Json json = {{"file", arguments.output},
               {"sessions", options.sessions},
               {"lines", truth.lines},
               {"clicks", truth.clicks},
               {"propensities", truth.propensities}};
  if (!truth.slope.empty()) json["slope"] = truth.slope;
  if (!truth.offset.empty()) json["offset"] = truth.offset;
  print_json(json);
}

void declare_fit(CLI::App& command, ClicksArguments& arguments) {
  command
      .add_option("--held-out", arguments.held_out,
                  "share of the sessions that is held out to measure the fit (default 0.1)")
      ->check(CLI::Range(0.0, 0.9));
  command
      .add_option("-o,--output", arguments.output,
                  "write the model as JSON, for --propensities of other commands")
      ->type_name("FILE");
  command
      .add_option("--data", arguments.data,
                  "with --model regression-em: the documents and their features")
      ->type_name("FILE");
  arguments.fields.add(command, click_fit_option_table().fields(), "Model");
  arguments.reading.add(command);
}

void declare_judge(CLI::App& command, ClicksArguments& arguments) {
  command
      .add_option("--propensities", arguments.propensities,
                  "estimate only relevance, with the propensities of `podium clicks fit`")
      ->type_name("FILE");
  command
      .add_option("--format", arguments.format,
                  "tsv: a table with intervals; qrels: TREC judgements; data: the documents of "
                  "--data with relevance as label and weights by exposure (default tsv)")
      ->check(one_of({"tsv", "qrels", "data"}));
  command.add_option("--thresholds", arguments.thresholds,
                     "lowest relevance of the grades 1, 2, … (default 0.2,0.4,0.6,0.8; data: the "
                     "relevance itself is the label)");
  command
      .add_option("--data", arguments.data,
                  "the documents, with --format data or --model regression-em")
      ->type_name("FILE");
  command.add_option("-o,--output", arguments.output, "output file; - is stdout")
      ->required()
      ->type_name("FILE");
  arguments.fields.add(command, click_fit_option_table().fields(), "Model");
  arguments.reading.add(command);
}

void declare_simulate(CLI::App& command, ClicksArguments& arguments) {
  command.add_option("--data", arguments.data, "data with grades")->required()->type_name("FILE");
  command
      .add_option("--ranker", arguments.ranker,
                  "the ranker whose lists are shown: a model (.json), or feature:NAME")
      ->required()
      ->type_name("FILE|FEATURE");
  command.add_option("-o,--output", arguments.output, "the log to write (.tsv, .tsv.gz, .tsv.zst)")
      ->required()
      ->type_name("FILE");
  arguments.fields.add(command, simulation_option_table().fields(), "Simulation");
  arguments.reading.add(command);
}

}  // namespace

std::function<void()> declare_clicks(CLI::App& command, Frame& frame) {
  auto arguments = std::make_shared<ClicksArguments>();
  command
      .add_option("ACTION", arguments->action, "inspect, fit, judge, report, simulate or convert")
      ->required()
      ->check(one_of({kActions.begin(), kActions.end()}));
  const std::string action = action_named(frame.arguments(), kActions);
  if (action != "simulate" && action != "convert" && action != "report")
    arguments->clicks.add(command, action.empty() ? Needed::optional : Needed::required);
  if (action == "fit") declare_fit(command, *arguments);
  if (action == "judge") declare_judge(command, *arguments);
  if (action == "report") arguments->report.add(command, arguments->clicks);
  if (action == "simulate") declare_simulate(command, *arguments);
  if (action == "convert") arguments->convert.add(command);
  if (action.empty()) command.footer(kActionHelp);
  return [arguments, &frame] {
    if (arguments->action == "inspect") inspect_clicks(*arguments, frame);
    if (arguments->action == "fit") fit_clicks(*arguments, frame);
    if (arguments->action == "judge") judge_clicks(*arguments, frame);
    if (arguments->action == "report") arguments->report.run(arguments->clicks, frame);
    if (arguments->action == "simulate") simulate(*arguments, frame);
    if (arguments->action == "convert") arguments->convert.run(frame);
  };
}

}  // namespace podium::cli

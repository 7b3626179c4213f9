// Click logs: click models, training data from clicks, counterfactual values, interleaving,
// reports.
#include <filesystem>

#include "bindings.h"
#include "experiments/report/report.h"
#include "podium/click_model.h"
#include "podium/click_report.h"
#include "podium/counterfactual.h"
#include "podium/debiased.h"
#include "podium/interleaving.h"
#include "podium/version.h"
#include "training.h"

namespace podium::python {
namespace {

struct LogSource {
  std::string path;
  Assignments options;

  ClickLog read(const Dataset* data, double held_out, KeptSessions kept, Context& context) const {
    const auto& table = click_log_option_table();
    ClickLogOptions chosen = table.read(Settings(table.fields(), options));
    chosen.held_out = held_out;
    return read_click_log(path, chosen, data, kept, context);
  }
};

// None, a file, or (model, examination, slope, offset).
struct Given {
  std::string path;
  Propensities values;

  std::optional<Propensities> load() const {
    if (!path.empty()) return load_propensities(path);
    if (values.examination.empty()) return std::nullopt;
    return values;
  }
};

KeptSessions kept_for(bool sessions) {
  return sessions ? KeptSessions::distinct : KeptSessions::none;
}

nb::dict fit_model(const LogSource& source, double held_out, const Assignments& given,
                   const Given& propensities, const Dataset* data, std::uint64_t seed,
                   int threads) {
  std::optional<ClickModel> model;
  ClickLog log;
  std::string json;
  std::vector<std::string> notes;
  {
    const nb::gil_scoped_release free;
    const auto& table = click_fit_option_table();
    const ClickFitOptions options = table.read(Settings(table.fields(), given));
    Frame frame(threads, seed);
    const std::optional<Propensities> known = propensities.load();
    log = source.read(data, held_out, kept_for(!known && needs_sessions(options.model)),
                      frame.context());
    model =
        fit_click_model(log, options, frame.context(), known ? &known->examination : nullptr, data);
    json = to_json(*model, log);
    notes = frame.notes();
  }
  std::vector<std::string> queries;
  std::vector<double> relevance;
  for (std::size_t d = 0; d < log.documents(); ++d) {
    queries.push_back(log.qids[log.query_of[d]]);
    relevance.push_back(model->relevance(d));
  }
  nb::dict out;
  out["json"] = json;
  out["qids"] = queries;
  out["docids"] = log.docids;
  out["relevance"] = give(std::move(relevance));
  out["attraction"] = give(std::move(model->attraction));
  out["satisfaction"] = give(std::move(model->satisfaction));
  out["exposure"] = give(std::move(model->exposure));
  out["objective"] = give(std::move(model->objective));
  out["notes"] = notes;
  return out;
}

nb::tuple debiased(TrainingRequest& request, const Dataset& data, const LogSource& source,
                   const Given& propensities, const Assignments& given) {
  DebiasedData made;
  std::vector<std::string> notes;
  {
    const nb::gil_scoped_release free;
    const auto& table = debias_option_table();
    const DebiasOptions options = table.read(Settings(table.fields(), given));
    Frame frame(request.threads, request.seed);
    const ClickLog log =
        source.read(&data, 0, kept_for(needs_sessions(options.debias)), frame.context());
    const std::optional<Propensities> known = propensities.load();
    made = debias_clicks(data, log, known ? &*known : nullptr, options, frame.context());
    notes = frame.notes();
  }
  request.rewrite_loss = std::move(made.rewrite_loss);
  nb::dict weights;
  weights["clipped"] = made.clipped;
  weights["effective_clicks"] = made.effective_clicks;
  weights["largest_weight"] = made.largest_weight;
  return nb::make_tuple(std::move(made.data), weights, notes);
}

nb::dict to_python(const CounterfactualValue& value) {
  nb::dict out;
  out["value"] = value.value;
  out["interval"] = std::pair(value.interval.low, value.interval.high);
  out["effective_clicks"] = value.effective_clicks;
  out["largest_weight"] = value.largest_weight;
  out["never_shown"] = value.never_shown;
  return out;
}

// The values, the differences of each from the first, and notes.
nb::tuple values_of(const Dataset& data, const LogSource& source, const Given& propensities,
                    const std::vector<std::vector<double>>& scores, const Assignments& given,
                    std::uint64_t seed, int threads) {
  std::vector<CounterfactualValue> values;
  std::vector<CounterfactualDifference> differences;
  std::vector<std::string> notes;
  {
    const nb::gil_scoped_release free;
    const auto& table = counterfactual_option_table();
    const CounterfactualOptions options = table.read(Settings(table.fields(), given));
    Frame frame(threads, seed);
    const ClickLog log = source.read(&data, 0, KeptSessions::none, frame.context());
    const Counterfactual evaluation(data, log, propensities.load(), options, frame.context());
    for (const auto& one : scores) values.push_back(evaluation.evaluate(one));
    for (std::size_t m = 1; m < values.size(); ++m)
      differences.push_back(evaluation.compare(values[m], values[0]));
    notes = frame.notes();
  }
  nb::list results, comparisons;
  for (const CounterfactualValue& value : values) results.append(to_python(value));
  for (const CounterfactualDifference& one : differences) {
    nb::dict row;
    row["difference"] = one.difference;
    row["interval"] = std::pair(one.interval.low, one.interval.high);
    row["p"] = one.p;
    comparisons.append(row);
  }
  return nb::make_tuple(results, comparisons, notes);
}

Interleaving method_named(const std::string& name) {
  const auto& table = interleaving_option_table();
  return table.read(Settings(table.fields(), Assignments{{"method", name}})).method;
}

std::vector<std::pair<std::string, std::string>> interleaved(
    const std::vector<std::string>& a, const std::vector<std::string>& b, const std::string& method,
    std::size_t depth, std::uint64_t seed, const std::string& session, const std::string& query) {
  std::vector<std::pair<std::string, std::string>> out;
  for (InterleavedDocument& one :
       interleave(a, b, method_named(method), depth, seed, session, query))
    out.emplace_back(std::move(one.document), one.owner == Owner::a ? "a" : "b");
  return out;
}

nb::dict to_python(const InterleavingVerdict& verdict, const std::vector<std::string>& notes) {
  nb::dict out;
  out["sessions"] = verdict.sessions;
  out["queries"] = verdict.queries;
  out["a_wins"] = verdict.a_wins;
  out["b_wins"] = verdict.b_wins;
  out["ties"] = verdict.ties;
  out["preference"] = verdict.preference;
  out["interval"] = std::pair(verdict.interval.low, verdict.interval.high);
  out["sequential_p"] = verdict.sequential_p;
  out["sign_p"] = verdict.sign_p;
  out["decided_after"] = verdict.decided_after;
  out["bots"] = verdict.bots;
  out["all_clicked"] = verdict.all_clicked;
  out["notes"] = notes;
  return out;
}

nb::dict verdict_of(const std::vector<std::pair<std::string, int>>& outcomes, double alpha,
                    std::uint64_t seed, int threads) {
  std::vector<InterleavedOutcome> list;
  for (const auto& [query, winner] : outcomes) list.push_back({query, winner});
  Frame frame(threads, seed);
  return to_python(analyse_interleaving(list, frame.context(), alpha), {});
}

nb::dict verdict_of_log(const std::string& path, double alpha, std::int64_t max_clicks,
                        std::uint64_t seed, int threads) {
  InterleavingVerdict verdict;
  Frame frame(threads, seed);
  {
    const nb::gil_scoped_release free;
    verdict = analyse_interleaved_log(path, nullptr, alpha, frame.context(), max_clicks);
  }
  return to_python(verdict, frame.notes());
}

struct RankersToReport {
  const Dataset* data;
  std::vector<std::string> names;
  std::vector<std::vector<double>> scores;
  Assignments value;
};

// Writes the page, and returns the summary and notes.
std::pair<std::string, std::vector<std::string>> report(
    const LogSource& source, const std::vector<Assignments>& models, double held_out,
    const RankersToReport& rankers, const std::string& interleaving, double alpha,
    const std::string& page, std::uint64_t seed, int threads) {
  const nb::gil_scoped_release free;
  check_report(page, source.path);
  ClickReportOptions options;
  options.name = std::filesystem::path(source.path).stem().string();
  options.version = PODIUM_VERSION;
  options.spelling = as_argument;
  bool sessions = false;
  for (const Assignments& given : models) {
    const auto& table = click_fit_option_table();
    options.models.push_back(table.read(Settings(table.fields(), given)));
    sessions = sessions || needs_sessions(options.models.back().model);
  }
  const auto& values = counterfactual_option_table();
  options.value = values.read(Settings(values.fields(), rankers.value));
  Frame frame(threads, seed);
  const ClickLog log = source.read(rankers.data, held_out, kept_for(sessions), frame.context());
  std::vector<ScoredRanker> scored;
  for (std::size_t m = 0; m < rankers.names.size(); ++m)
    scored.push_back({rankers.names[m], rankers.scores[m]});
  std::optional<InterleavingPart> verdict;
  if (!interleaving.empty())
    verdict =
        InterleavingPart{std::filesystem::path(interleaving).stem().string(), alpha,
                         analyse_interleaved_log(interleaving, nullptr, alpha, frame.context())};
  const std::string summary =
      click_report(log, rankers.data, scored, verdict, options, frame.context());
  write_click_report(summary, page);
  return {summary, frame.notes()};
}

}  // namespace

void bind_clicks(nb::module_& module) {
  nb::class_<LogSource>(module, "ClickLogSource")
      .def(nb::new_([](const std::string& path, const Assignments& options) {
             return LogSource{path, options};
           }),
           nb::arg("path"), nb::arg("options"));
  nb::class_<Given>(module, "GivenPropensities")
      .def(nb::new_([](const std::string& path, const std::string& model,
                       const std::vector<double>& examination, const std::vector<double>& slope,
                       const std::vector<double>& offset) {
             return Given{path, {model, examination, slope, offset}};
           }),
           nb::arg("path"), nb::arg("model"), nb::arg("examination"), nb::arg("slope"),
           nb::arg("offset"));
  module.def("fit_click_model", &fit_model, nb::arg("log"), nb::arg("held_out"), nb::arg("options"),
             nb::arg("propensities"), nb::arg("data").none(), nb::arg("seed"), nb::arg("threads"));
  module.def("debias_clicks", &debiased, nb::arg("request"), nb::arg("data"), nb::arg("log"),
             nb::arg("propensities"), nb::arg("options"));
  module.def("counterfactual", &values_of, nb::arg("data"), nb::arg("log"), nb::arg("propensities"),
             nb::arg("scores"), nb::arg("options"), nb::arg("seed"), nb::arg("threads"));
  nb::class_<RankersToReport>(module, "RankersToReport")
      .def(nb::new_([](const Dataset* data, const std::vector<std::string>& names,
                       const std::vector<std::vector<double>>& scores, const Assignments& value) {
             return RankersToReport{data, names, scores, value};
           }),
           nb::arg("data").none(), nb::arg("names"), nb::arg("scores"), nb::arg("value"),
           nb::keep_alive<0, 1>());
  module.def("click_report", &report, nb::arg("log"), nb::arg("models"), nb::arg("held_out"),
             nb::arg("rankers"), nb::arg("interleaving"), nb::arg("alpha"), nb::arg("page"),
             nb::arg("seed"), nb::arg("threads"));
  module.def("interleave", &interleaved, nb::arg("a"), nb::arg("b"), nb::arg("method"),
             nb::arg("depth"), nb::arg("seed"), nb::arg("session"), nb::arg("query"));
  module.def("analyse_interleaving", &verdict_of, nb::arg("outcomes"), nb::arg("alpha"),
             nb::arg("seed"), nb::arg("threads"));
  module.def("analyse_interleaved_log", &verdict_of_log, nb::arg("path"), nb::arg("alpha"),
             nb::arg("max_clicks"), nb::arg("seed"), nb::arg("threads"));
}

}  // namespace podium::python

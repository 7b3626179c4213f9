#include "podium/click_report.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/output_file.h"
#include "experiments/report/report.h"
#include "podium/error.h"

namespace podium {
namespace {

using ReportJson = nlohmann::ordered_json;

// Keeps the notes of one fit apart, and passes them on.
class NotesOfFit final : public Observer {
 public:
  NotesOfFit(Observer& outer, OptionSpelling spelling) : outer_(outer), spelling_(spelling) {}
  void phase(std::string_view text) override { outer_.phase(text); }
  void iteration(const Iteration& one) override { outer_.iteration(one); }
  void note(std::string_view text) override { notes.push_back(spell_options(text, spelling_)); }
  std::vector<std::string> notes;

 private:
  Observer& outer_;
  OptionSpelling spelling_;
};

ReportJson range_json(double low, double high) {
  return ReportJson::array({low, high});
}

// Wilson's interval of a rate.
ReportJson rate_interval(double clicked, double shown) {
  constexpr double kZ2 = 3.841458820694124;  // 1.96²
  if (!(shown > 0)) return nullptr;
  const double p = clicked / shown, scale = 1 + kZ2 / shown;
  const double middle = (p + kZ2 / (2 * shown)) / scale;
  const double half = std::sqrt(kZ2 * (p * (1 - p) / shown + kZ2 / (4 * shown * shown))) / scale;
  return range_json(std::max(0.0, middle - half), std::min(1.0, middle + half));
}

ReportJson log_json(const ClickLog& log) {
  return {{"sessions", log.session_count},  {"lines", log.lines},
          {"queries", log.queries()},       {"documents", log.documents()},
          {"cells", log.cells.size()},      {"unmatched", log.unmatched},
          {"too_deep", log.too_deep},       {"dropped_sessions", log.bots},
          {"all_clicked", log.all_clicked}, {"backwards", log.backwards},
          {"scattered", log.scattered}};
}

ReportJson positions_json(const ClickLog& log, const Connectivity& graph) {
  std::vector<double> shown(log.positions), clicked(log.positions);
  for (const ClickCell& cell : log.cells) {
    shown[cell.position - 1] += cell.shown + cell.held_shown;
    clicked[cell.position - 1] += cell.clicked + cell.held_clicked;
  }
  ReportJson list = ReportJson::array();
  for (std::size_t p = 0; p < log.positions; ++p) {
    const bool never = graph.component[p] == Connectivity::kNever;
    list.push_back({{"position", p + 1},
                    {"shown", shown[p]},
                    {"clicked", clicked[p]},
                    {"rate", shown[p] > 0 ? ReportJson(clicked[p] / shown[p]) : nullptr},
                    {"interval", rate_interval(clicked[p], shown[p])},
                    {"component", never ? ReportJson(nullptr) : ReportJson(graph.component[p] + 1)},
                    {"linked", p < graph.linked.size() ? ReportJson(graph.linked[p]) : nullptr}});
  }
  return list;
}

// What the clicks are worth as weights 1/θ.
ReportJson weights_json(const ClickLog& log, const Propensities& propensities, double clip) {
  double clicks = 0, sum = 0, squares = 0, largest = 0, clipped = 0;
  for (const ClickCell& cell : log.cells) {
    if (!(cell.clicked > 0)) continue;
    const double theta = propensities.at(cell.position), weight = 1 / std::max(theta, clip);
    clicks += cell.clicked;
    sum += cell.clicked * weight;
    squares += cell.clicked * weight * weight;
    largest = std::max(largest, weight);
    if (theta < clip) clipped += cell.clicked;
  }
  return {{"clicks", clicks},
          {"effective", squares > 0 ? sum * sum / squares : 0},
          {"largest", largest},
          {"clip", clip},
          {"clipped", clicks > 0 ? clipped / clicks : 0}};
}

bool has_propensities(ClickModelKind kind) {
  return kind != ClickModelKind::ctr_rank && kind != ClickModelKind::ctr_doc;
}

ReportJson fit_part(const ClickFit& fit) {
  return {{"log_likelihood", fit.log_likelihood},
          {"perplexity", fit.perplexity},
          {"by_position", fit.by_position}};
}

ReportJson model_json(const ClickLog& log, const ClickModel& model, double clip) {
  ReportJson out = {{"propensities", model.propensities},
                    {"is_propensity", has_propensities(model.kind)}};
  ReportJson intervals = ReportJson::array();
  for (const ProbabilityInterval& one : model.intervals)
    intervals.push_back(std::isfinite(one.high) ? range_json(one.low, one.high) : nullptr);
  out["intervals"] = intervals;
  const bool held = log.held_total > 0;
  out["held_out"] = held;
  out["fit"] = fit_part(held ? model.held_out : model.training);
  out["null"] = fit_part(held ? model.null_held_out : model.null_training);
  out["components"] = model.components;
  out["assumed"] = model.assumed;
  out["weights"] = has_propensities(model.kind) ? weights_json(log, propensities_of(model), clip)
                                                : ReportJson(nullptr);
  return out;
}

ReportJson values_json(const ClickLog& log, const Dataset& data,
                       const std::vector<ScoredRanker>& rankers,
                       const std::optional<Propensities>& propensities, const std::string& source,
                       const CounterfactualOptions& options, Context& context) {
  const Counterfactual evaluation(data, log, propensities, options, context);
  ReportJson results = ReportJson::array();
  std::vector<CounterfactualValue> values;
  for (const ScoredRanker& ranker : rankers) {
    values.push_back(evaluation.evaluate(ranker.scores));
    const CounterfactualValue& value = values.back();
    ReportJson one = {{"name", ranker.name},
                      {"value", value.value},
                      {"interval", range_json(value.interval.low, value.interval.high)},
                      {"effective_clicks", value.effective_clicks},
                      {"largest_weight", value.largest_weight},
                      {"never_shown", value.never_shown},
                      {"against", nullptr}};
    if (values.size() > 1) {
      const CounterfactualDifference test = evaluation.compare(value, values.front());
      one["against"] = {{"difference", test.difference},
                        {"interval", range_json(test.interval.low, test.interval.high)},
                        {"p", test.p}};
    }
    results.push_back(one);
  }
  return {{"estimator", choice_name(estimators(), options.estimator)},
          {"measure", options.measure},
          {"propensities", source},
          {"results", results}};
}

ReportJson interleaving_json(const InterleavingPart& part) {
  const InterleavingVerdict& v = part.verdict;
  return {{"name", part.name},
          {"alpha", part.alpha},
          {"sessions", v.sessions},
          {"queries", v.queries},
          {"a_wins", v.a_wins},
          {"b_wins", v.b_wins},
          {"ties", v.ties},
          {"preference", v.preference},
          {"interval", range_json(v.interval.low, v.interval.high)},
          {"sequential_p", v.sequential_p},
          {"sign_p", v.sign_p},
          {"decided_after", v.decided_after ? ReportJson(*v.decided_after) : ReportJson(nullptr)}};
}

}  // namespace

std::string click_report(const ClickLog& log, const Dataset* data,
                         const std::vector<ScoredRanker>& rankers,
                         const std::optional<InterleavingPart>& interleaving,
                         const ClickReportOptions& options, Context& context) {
  if (!rankers.empty() && (!data || log.row.empty()))
    throw Error(ErrorCode::usage, "rankers need ‹data›: what they rank");
  const Connectivity graph = connectivity(log);
  ReportJson models = ReportJson::array();
  std::optional<Propensities> propensities;
  std::string source;
  for (const ClickFitOptions& fit : options.models) {
    const std::string name = choice_name(click_model_kinds(), fit.model);
    NotesOfFit observer(context.observer, options.spelling);
    Context own{context.seed, context.pool,        context.comm,  observer,
                context.stop, context.checkpoints, context.device};
    ReportJson one = {{"model", name}, {"refused", nullptr}};
    try {
      const ClickModel model = fit_click_model(log, fit, own, nullptr, data);
      one.update(model_json(log, model, options.value.clip));
      if (!propensities && has_propensities(fit.model)) {
        propensities = propensities_of(model);
        source = name;
      }
    } catch (const Error& error) {
      if (error.code() != ErrorCode::data) throw;
      one["refused"] = spell_options(error.what(), options.spelling);
    }
    one["notes"] = observer.notes;
    models.push_back(one);
  }
  ReportJson values = nullptr;
  if (!rankers.empty() && (propensities || log.has_propensities))
    values = values_json(log, *data, rankers, log.has_propensities ? std::nullopt : propensities,
                         log.has_propensities ? "the log's own" : source, options.value, context);
  const ReportJson summary = {
      {"format", "podium-clicks-report"},
      {"version", 1},
      {"podium", {{"version", options.version}}},
      {"seed", context.seed},
      {"name", options.name},
      {"log", log_json(log)},
      {"positions", positions_json(log, graph)},
      {"components", graph.components},
      {"models", models},
      {"values", values},
      {"rankers", rankers.size()},
      {"interleaving", interleaving ? interleaving_json(*interleaving) : ReportJson(nullptr)}};
  return summary.dump(1);
}

void write_click_report(const std::string& summary_json, const std::string& html_path) {
  write_file(html_path, render_report(summary_json, {}));
}

}  // namespace podium

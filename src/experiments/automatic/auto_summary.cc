#include "experiments/automatic/auto_summary.h"

#include <cmath>

#include "experiments/automatic/refit.h"
#include "models/file/json_text.h"

namespace podium {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kConfidence = 0.9;

Json finite_or_null(double x) {
  return std::isfinite(x) ? Json(x) : Json();
}

Json given_options(const std::string& learner, const Assignments& assignments) {
  const Settings settings(learners().at(learner).options(), assignments);
  Json json = Json::object();
  for (const auto& [name, text] : assignments) json[name] = value_json(settings[name]);
  return json;
}

Json candidate_json(const AutoSummary& summary, const JudgedCandidate& judged) {
  const std::string& learner = summary.candidates.learner(judged.candidate);
  return {{"learner", learner},
          {"options", given_options(learner, summary.candidates.options(judged.candidate))},
          {"value", finite_or_null(judged.value)}};
}

Json data_json(const AutoSummary& summary) {
  return {{"name", summary.run.data_name},
          {"queries", summary.train.queries()},
          {"documents", summary.train.documents()},
          {"features", summary.train.features()},
          {"folds", summary.judging.folds()},
          {"judged_by", summary.plan.first_fold        ? "first fold"
                        : summary.judging.splits() > 1 ? "folds"
                                                       : "validation data"},
          {"judged_queries", summary.judging.data().queries()}};
}

Json chosen_json(const AutoSummary& summary) {
  Json chosen = Json::array();
  for (std::size_t m = 0; m < summary.choice.members.size(); ++m) {
    const JudgedCandidate& member = summary.choice.members[m];
    Json json = candidate_json(summary, member);
    const std::string& learner = summary.candidates.learner(member.candidate);
    json["options"] = given_options(learner, refit_options(summary.candidates, summary.judging,
                                                           summary.cells, member.candidate));
    json["weight"] = summary.choice.fit.weights[m];
    if (m < summary.latencies.size()) json["microseconds"] = summary.latencies[m];
    chosen.push_back(std::move(json));
  }
  return chosen;
}

// The mean with its interval, which takes the folds into account.
struct FoldMean {
  double value = 0;
  std::optional<Interval> interval;
};
FoldMean mean_over_folds(const std::vector<double>& values, const NestedEstimate& nested) {
  const Effect found =
      effect(paired_differences(values, std::vector<double>(values.size())), kConfidence);
  FoldMean mean{found.mean, found.interval};
  if (mean.interval) {
    const double spread = spread_of_folds(values, nested.queries);
    mean.interval->low = mean.value - spread * (mean.value - mean.interval->low);
    mean.interval->high = mean.value + spread * (mean.interval->high - mean.value);
  }
  return mean;
}

Json mean_json(const std::vector<double>& values, const NestedEstimate& nested) {
  const FoldMean mean = mean_over_folds(values, nested);
  return {{"value", finite_or_null(mean.value)},
          {"low", mean.interval ? Json(mean.interval->low) : Json()},
          {"high", mean.interval ? Json(mean.interval->high) : Json()}};
}

// The blend against another system, on the same queries.
Json against_json(const std::string& name, const NestedEstimate& nested,
                  const std::vector<double>& other, Context& context) {
  std::vector<double> differences;
  for (std::size_t q = 0; q < other.size(); ++q) differences.push_back(nested.blend[q] - other[q]);
  const FoldMean found = mean_over_folds(differences, nested);
  const TestResult test =
      randomisation(paired_differences(nested.blend, other), kPermutations, context);
  Json json = {{"system", name}};
  json.update(mean_json(other, nested));
  json["difference"] = finite_or_null(found.value);
  json["difference_low"] = found.interval ? Json(found.interval->low) : Json();
  json["difference_high"] = found.interval ? Json(found.interval->high) : Json();
  json["p"] = test.p ? Json(*test.p) : Json();
  return json;
}

Json estimate_json(const AutoSummary& summary, Context& context) {
  const NestedEstimate& nested = summary.estimate;
  if (nested.folds == 0) return nullptr;
  Json json = mean_json(nested.blend, nested);
  json["measure"] = summary.options.measure;
  json["confidence"] = kConfidence;
  json["folds"] = nested.folds;
  json["trials"] = nested.trials;
  json["queries"] = nested.blend.size();
  json["learning_curve"] = Json::array();
  const auto k = static_cast<double>(summary.judging.folds());
  if (!nested.larger.empty())
    for (const auto& [folds, values] :
         {std::pair(k - 2, nested.smaller), std::pair(k - 1, nested.larger)})
      json["learning_curve"].push_back(
          {{"share", folds / k}, {"value", mean_json(values, nested)["value"]}});
  json["extra_training_runs"] = nested.cells;
  json["extra_seconds"] = nested.seconds;
  json["against"] = {against_json("best single learner", nested, nested.single, context),
                     against_json("lambdamart", nested, nested.boosted, context),
                     against_json("best feature", nested, nested.feature, context)};
  return json;
}

Json failures_json(const AutoSummary& summary) {
  Json json = Json::array();
  for (const auto& [where, cell] : summary.cells.all())
    if (cell.status != TrainedCell::Status::done)
      json.push_back(
          {{"candidate", summary.candidates.text(where.candidate)},
           {"split", where.split + 1},
           {"reason", cell.status == TrainedCell::Status::slow ? "too slow" : cell.message}});
  return json;
}

// What the time decided.
Json budget_json(const AutoSummary& summary) {
  Json cut = Json::array(), not_tried = Json::array();
  for (const auto& [where, cell] : summary.cells.all())
    if (cell.cut)
      cut.push_back({{"candidate", summary.candidates.text(where.candidate)},
                     {"split", where.split + 1},
                     {"share", where.share},
                     {"iterations", cell.iterations},
                     {"seconds", cell.seconds}});
  for (const std::size_t family : summary.not_tried)
    not_tried.push_back(summary.candidates.learner({family, 0}));
  return {{"first_fold", summary.plan.first_fold},
          {"share", summary.plan.share},
          {"round_trials", summary.plan.round_trials},
          {"cut", cut},
          {"not_tried", not_tried}};
}

Json front_json(const AutoSummary& summary) {
  Json json = Json::array();
  for (const LatencyPoint& point : summary.front)
    json.push_back({{"members", point.members},
                    {"microseconds", point.latency},
                    {"value", finite_or_null(point.fit.value)}});
  return json;
}

}  // namespace

std::string first_failure(const TrainedCells& cells) {
  for (const auto& [where, cell] : cells.all()) {
    if (cell.status == TrainedCell::Status::failed) return cell.message;
    if (cell.status == TrainedCell::Status::slow) return "training takes too long for the budget";
  }
  return "";
}

std::vector<LeftOut> ablation(const BlendChoice& choice, const BlendChooser& chooser,
                              const std::vector<std::size_t>& folds, Context& context) {
  std::vector<LeftOut> out;
  for (std::size_t m = 0; choice.members.size() > 1 && m < choice.members.size(); ++m) {
    std::vector<JudgedCandidate> rest = choice.members;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(m));
    out.push_back({m, chooser.weights(rest, folds, context).value});
  }
  return out;
}

Json summary_json(const AutoSummary& summary, Context& context) {
  Json leaderboard = Json::array(), tried = Json::array(), left_out = Json::array();
  for (const JudgedCandidate& leader : summary.leaders)
    leaderboard.push_back(candidate_json(summary, leader));
  for (const JudgedCandidate& one : summary.judged) tried.push_back(candidate_json(summary, one));
  for (const LeftOut& one : summary.ablation)
    left_out.push_back(
        {{"learner", summary.candidates.learner(summary.choice.members[one.member].candidate)},
         {"value", finite_or_null(one.value)}});
  const BlendWeights& fit = summary.choice.fit;
  Json json = {{"format", "podium-auto"},
               {"version", 1},
               {"podium", {{"version", summary.run.version}}},
               {"command", summary.run.command},
               {"seed", summary.seed},
               {"data", data_json(summary)},
               {"chosen", chosen_json(summary)},
               {"measure", summary.options.measure},
               {"value", finite_or_null(fit.value)},
               {"equal_weights", finite_or_null(fit.equal_value)},
               {"held_out", finite_or_null(fit.held_out)},
               {"shrinkage", fit.shrinkage},
               {"estimate", estimate_json(summary, context)},
               {"best_single", candidate_json(summary, summary.leaders[0])},
               {"leaderboard", leaderboard},
               {"without", left_out},
               {"judged", tried},
               {"not_judged", failures_json(summary)},
               {"budget", budget_json(summary)},
               {"trials", summary.trials},
               {"training_runs", summary.cells.all().size()},
               {"seconds", summary.seconds}};
  if (!summary.front.empty()) json["latency_front"] = front_json(summary);
  return json;
}

}  // namespace podium

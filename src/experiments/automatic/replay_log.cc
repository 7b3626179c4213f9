#include "experiments/automatic/replay_log.h"

#include <fstream>

#include <fmt/format.h>

#include "podium/error.h"

namespace podium {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kLogFormat = "podium-auto-log";

std::size_t family_of(const CandidateTable& candidates, const std::string& learner) {
  for (std::size_t f = 0; f < candidates.families(); ++f)
    if (candidates.learner({f, 0}) == learner) return f;
  if (learner == "lambdamart") return candidates.boosted_baseline().family;
  return candidates.feature_baseline().family;
}

// What differs, as users call it: data by its role, options by name and value.
std::string difference_of(const std::string& name, const Json& known, const Json& now) {
  if (name == "data") return "on other training data";
  if (name == "valid")
    return known == "" ? "without validation data"
           : now == "" ? "with validation data"
                       : "on other validation data";
  const auto text = [](const Json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
  };
  return fmt::format("with ‹{} {}›, and now it is {}", name, text(known), text(now));
}

void require_same_run(const Json& known, const Json& run, const std::string& path,
                      Observer& observer) {
  for (const auto& [name, now] : run.items()) {
    const Json& was = known.at(name);
    if (was == now) continue;
    if (name != "version")
      throw Error(ErrorCode::usage,
                  "‹replay›: the log is of a run " + difference_of(name, was, now), {path});
    observer.note(
        fmt::format("the log was written by version {}: the model may differ from the "
                    "one that was found then",
                    was.get<std::string>()));
  }
}

Json cell_json(const CellAt& cell, const CandidateTable& candidates) {
  return {candidates.learner(cell.candidate), cell.candidate.point, cell.split, cell.share};
}

CellAt cell_at(const Json& json, const CandidateTable& candidates) {
  return {{family_of(candidates, json.at(0)), json.at(1)}, json.at(2), json.at(3)};
}

}  // namespace

Json log_json(const ReplayLog& log, const CandidateTable& candidates, const Json& run) {
  Json slow = Json::array(), cut = Json::array();
  for (const CellAt& cell : log.slow) slow.push_back(cell_json(cell, candidates));
  for (const auto& [cell, iterations] : log.cut) {
    cut.push_back(cell_json(cell, candidates));
    cut.back().push_back(iterations);
  }
  return {{"format", kLogFormat},
          {"run", run},
          {"trials", log.trials},
          {"estimate_folds", log.folds},
          {"estimate_trials", log.estimate_trials},
          {"estimate_refits", log.refits},
          {"first_fold", log.plan.first_fold},
          {"share", log.plan.share},
          {"round_trials", log.plan.round_trials},
          {"costs", log.plan.costs},
          {"slow", slow},
          {"cut", cut},
          {"members", log.members}};
}

ReplayLog read_log(const std::string& path, const CandidateTable& candidates, const Json& run,
                   Observer& observer) {
  std::ifstream file(path);
  if (!file) throw Error(ErrorCode::file, "cannot be read", {path});
  ReplayLog log;
  try {
    const Json json = Json::parse(file);
    if (json.at("format") != kLogFormat)
      throw Error(ErrorCode::data, "not a log of `podium auto`", {path});
    require_same_run(json.at("run"), run, path, observer);
    log.trials = json.at("trials");
    log.folds = json.at("estimate_folds");
    log.estimate_trials = json.at("estimate_trials");
    log.refits = json.value("estimate_refits", false);
    log.plan = {json.at("first_fold"), json.at("share"), json.at("round_trials"),
                json.at("costs").get<std::vector<int>>()};
    for (const Json& cell : json.at("slow")) log.slow.insert(cell_at(cell, candidates));
    for (const Json& cell : json.at("cut")) log.cut[cell_at(cell, candidates)] = cell.at(4);
    log.members = json.at("members").get<std::vector<std::size_t>>();
  } catch (const Json::exception&) {
    throw Error(ErrorCode::data, "not a log of `podium auto`, or damaged", {path});
  }
  if (log.trials == 0) throw Error(ErrorCode::data, "the log has no trials", {path});
  const auto& costs = log.plan.costs;
  if (log.plan.share < 1 || log.plan.round_trials < 1 ||
      (!costs.empty() && costs.size() != candidates.families()))
    throw Error(ErrorCode::data, "not a log of `podium auto`, or damaged", {path});
  return log;
}

}  // namespace podium

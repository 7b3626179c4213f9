// The file of `clicks fit`: one JSON object with what is known by position, and the fit.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "core/mapped_file.h"
#include "models/file/json_text.h"
#include "podium/click_model.h"
#include "podium/error.h"

namespace podium {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kPropensityVersion = 1;

Json fit_json(const ClickFit& fit, const ClickFit& null) {
  return {{"log_likelihood", fit.log_likelihood},
          {"perplexity", fit.perplexity},
          {"perplexity_by_position", fit.by_position},
          {"null", {{"log_likelihood", null.log_likelihood}, {"perplexity", null.perplexity}}}};
}

std::vector<double> numbers(const nlohmann::json& json, const char* name, double low,
                            const std::string& file) {
  std::vector<double> values;
  if (!json.contains(name)) return values;
  const Error wrong(ErrorCode::data,
                    fmt::format("'{}' is not a list of numbers above {} and at most 1", name, low),
                    {file});
  if (!json[name].is_array()) throw wrong;
  for (const auto& value : json[name]) {
    if (!value.is_number()) throw wrong;
    values.push_back(value.get<double>());
    if (!(values.back() > low && values.back() <= 1)) throw wrong;
  }
  return values;
}

// Which version, and of which model.
void check_kind(const nlohmann::json& json, const std::string& file) {
  const auto version = json.find("version");
  if (version == json.end() || !version->is_number_integer())
    throw Error(ErrorCode::data, "has no 'version'", {file});
  if (*version != kPropensityVersion)
    throw Error(ErrorCode::data,
                fmt::format("is of version {}; this program reads version {}", version->dump(),
                            kPropensityVersion),
                {file});
  const auto model = json.find("model");
  const auto kind = model != json.end() && model->is_string()
                        ? choice_named(click_model_kinds(), model->get<std::string>())
                        : std::nullopt;
  if (!kind)
    throw Error(ErrorCode::data, "has no 'model' that is the name of a click model", {file});
  if (*kind == ClickModelKind::ctr_rank || *kind == ClickModelKind::ctr_doc)
    throw Error(ErrorCode::data,
                fmt::format("has click-through rates ({}), which are not propensities: fit another "
                            "‹model›, such as pbm",
                            model->get<std::string>()),
                {file});
}

// How many components the file's positions have that were compared by an assumption. An Error if
// nothing compares them.
std::size_t assumed_components(const nlohmann::json& json, const Propensities& read,
                               const std::string& file) {
  const auto components = json.find("components");
  if (components == json.end() || !components->is_number_unsigned() || *components < 2) return 0;
  const auto count = components->get<std::size_t>();
  const auto assumed = json.find("assumed");
  if (assumed != json.end() && assumed->is_boolean() && assumed->get<bool>()) return count;
  const auto kind = choice_named(click_model_kinds(), read.model);
  if (kind == ClickModelKind::ubm || kind == ClickModelKind::pbm || kind == ClickModelKind::harvest)
    throw Error(
        ErrorCode::data,
        fmt::format("its positions are in {} groups that no document connects: fit it again",
                    count),
        {file});
  return 0;
}

}  // namespace

std::string to_json(const ClickModel& model, const ClickLog& log) {
  Json json = {{"format", "podium-clicks"},
               {"version", kPropensityVersion},
               {"model", choice_name(click_model_kinds(), model.kind)},
               {"propensities", model.propensities}};
  Json& intervals = json["intervals"] = Json::array();
  for (const ProbabilityInterval& one : model.intervals)
    intervals.push_back({std::isfinite(one.low) ? Json(one.low) : Json(nullptr),
                         std::isfinite(one.high) ? Json(one.high) : Json(nullptr)});
  if (!model.slope.empty()) json["slope"] = model.slope;
  if (!model.offset.empty()) json["offset"] = model.offset;
  if (!model.continuation.empty()) json["continuation"] = model.continuation;
  if (model.kind == ClickModelKind::dbn) json["perseverance"] = model.perseverance;
  if (!model.by_distance.empty()) json["by_distance"] = model.by_distance;
  if (!model.relevance_learner.empty())
    json["relevance"] = {{"learner", model.relevance_learner},
                         {"refits", model.refits},
                         {"ended", model.ended},
                         {"seed", model.seed}};
  json["components"] = model.components;
  json["assumed"] = model.assumed;
  json["log_likelihood"] = model.log_likelihood;
  json["heldout_log_likelihood"] = model.held_out.log_likelihood * log.held_total;
  json["perplexity"] = (log.held_total > 0 ? model.held_out : model.training).perplexity;
  json["training"] = fit_json(model.training, model.null_training);
  if (log.held_total > 0) json["held_out"] = fit_json(model.held_out, model.null_held_out);
  json["iterations"] = model.objective.size();
  json["sessions"] = log.session_count;
  json["lines"] = log.lines;
  return to_text(json);
}

void require_positions(const Propensities& propensities, const ClickLog& log) {
  const std::size_t known = propensities.examination.size();
  if (log.positions > known)
    throw Error(ErrorCode::data,
                fmt::format("the log has positions up to {}, but propensities are known up to {}: "
                            "‹max-position {}› leaves out later ones",
                            log.positions, known, known));
}

Propensities propensities_of(const ClickLog& log) {
  std::vector<double> shown(log.positions), examined(log.positions);
  for (const ClickCell& cell : log.cells) {
    shown[cell.position - 1] += cell.shown;
    examined[cell.position - 1] += cell.examined;
  }
  // A position that was never shown has no clicks to correct.
  for (std::size_t p = 0; p < shown.size(); ++p)
    examined[p] = shown[p] > 0 ? examined[p] / shown[p] : 1;
  return {"log", std::move(examined), {}, {}};
}

Propensities load_propensities(const std::string& path) {
  const MappedFile file(path);
  const nlohmann::json json = nlohmann::json::parse(file.bytes(), nullptr, false);
  if (!json.is_object() || json.value("format", "") != "podium-clicks")
    throw Error(ErrorCode::data,
                "is not a file of propensities: `podium clicks fit -o FILE` writes one", {path});
  check_kind(json, path);
  Propensities result;
  result.model = json["model"].get<std::string>();
  result.examination = numbers(json, "propensities", 0, path);
  result.slope = numbers(json, "slope", 0, path);
  result.offset = numbers(json, "offset", -1, path);
  if (result.examination.empty()) throw Error(ErrorCode::data, "has no 'propensities'", {path});
  const bool is_trust = result.model == choice_name(click_model_kinds(), ClickModelKind::trust);
  if (is_trust && result.slope.empty())
    throw Error(ErrorCode::data, "is of a trust model, but has no 'slope' and 'offset'", {path});
  if (result.slope.size() != result.offset.size() ||
      (!result.slope.empty() && result.slope.size() != result.examination.size()))
    throw Error(ErrorCode::data, "'slope' and 'offset' do not have one number per position",
                {path});
  result.assumed = assumed_components(json, result, path);
  return result;
}

Propensities propensities_of(const ClickModel& model) {
  return {choice_name(click_model_kinds(), model.kind), model.propensities, model.slope,
          model.offset, model.assumed ? model.components : 0};
}

}  // namespace podium

// The file of `clicks fit`: one JSON object with what is known by position, and the fit.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/mapped_file.h"
#include "models/file/json_text.h"
#include "podium/click_model.h"
#include "podium/error.h"

namespace podium {
namespace {

using Json = nlohmann::ordered_json;

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

}  // namespace

std::string to_json(const ClickModel& model, const ClickLog& log) {
  Json json = {{"format", "podium-clicks"},
               {"version", 1},
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

double Propensities::at(std::uint32_t position) const {
  return examination[std::min<std::size_t>(position, examination.size()) - 1];
}

Propensities load_propensities(const std::string& path) {
  const MappedFile file(path);
  const nlohmann::json json = nlohmann::json::parse(file.bytes(), nullptr, false);
  if (!json.is_object() || json.value("format", "") != "podium-clicks")
    throw Error(ErrorCode::data, "is not a file of propensities: `podium clicks fit -o FILE` writes one",
                {path});
  Propensities result;
  result.model = json.value("model", "");
  result.examination = numbers(json, "propensities", 0, path);
  result.slope = numbers(json, "slope", 0, path);
  result.offset = numbers(json, "offset", -1, path);
  if (result.examination.empty())
    throw Error(ErrorCode::data, "has no 'propensities'", {path});
  if (result.slope.empty()) {
    result.slope = result.examination;
    result.offset.assign(result.slope.size(), 0.0);
  }
  if (result.slope.size() != result.offset.size() || result.slope.size() != result.examination.size())
    throw Error(ErrorCode::data, "'slope' and 'offset' do not have one number per position", {path});
  return result;
}

Propensities propensities_of(const ClickModel& model) {
  Propensities result{choice_name(click_model_kinds(), model.kind), model.propensities, model.slope,
                      model.offset};
  if (result.slope.empty()) {
    result.slope = result.examination;
    result.offset.assign(result.slope.size(), 0.0);
  }
  return result;
}

}  // namespace podium

// A cell of `auto` as JSON: numbers read back to the same bits, null stands for NaN.
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "experiments/automatic/trained_cells.h"

namespace podium {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kStatusNames[] = {"done", "failed", "slow"};

Json numbers_json(const std::vector<double>& numbers) {
  Json json = Json::array();
  for (const double x : numbers) json.push_back(std::isfinite(x) ? Json(x) : Json());
  return json;
}

std::vector<double> numbers_of(const Json& json) {
  std::vector<double> out;
  for (const Json& x : json)
    out.push_back(x.is_null() ? std::numeric_limits<double>::quiet_NaN() : x.get<double>());
  return out;
}

}  // namespace

std::string cell_text(const TrainedCell& cell, const std::string& name) {
  Json chosen = Json::array();
  for (const auto& [option, value] : cell.chosen) chosen.push_back({option, value});
  return Json({{"candidate", name},
               {"status", kStatusNames[static_cast<std::size_t>(cell.status)]},
               {"message", cell.message},
               {"best_iteration", cell.best_iteration},
               {"iterations", cell.iterations},
               {"cut", cell.cut},
               {"chosen", chosen},
               {"train_scale", cell.train_scale},
               {"test_scale", cell.test_scale},
               {"seconds", cell.seconds},
               {"work", cell.work},
               {"per_query", numbers_json(cell.per_query)},
               {"scores", numbers_json(cell.scores)}})
             .dump() +
         "\n";
}

std::optional<TrainedCell> cell_from_text(const std::string& text, const std::string& name) {
  if (text.empty()) return {};
  try {
    const Json json = Json::parse(text);
    if (json.at("candidate") != name) return {};
    TrainedCell cell;
    const std::string status = json.at("status");
    for (std::size_t s = 0; s < std::size(kStatusNames); ++s)
      if (status == kStatusNames[s]) cell.status = static_cast<TrainedCell::Status>(s);
    cell.message = json.at("message");
    cell.best_iteration = json.at("best_iteration");
    cell.iterations = json.at("iterations");
    cell.cut = json.at("cut");
    for (const Json& pair : json.at("chosen")) cell.chosen.emplace_back(pair.at(0), pair.at(1));
    cell.train_scale = json.at("train_scale");
    cell.test_scale = json.at("test_scale");
    cell.seconds = json.at("seconds");
    cell.work = json.at("work");
    cell.per_query = numbers_of(json.at("per_query"));
    cell.scores = numbers_of(json.at("scores"));
    return cell;
  } catch (const Json::exception&) {
    return {};  // damaged: it is trained again
  }
}

}  // namespace podium

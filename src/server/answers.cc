#include "server/answers.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>

#include <fmt/chrono.h>

#include "models/file/json_text.h"
#include "models/model_kinds.h"
#include "podium/interleaving.h"

namespace podium {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

// Documents by score, best first, up to the limit.
template <class ScoreOf>
std::vector<std::size_t> ranking(const ScoringRequest& request, ScoreOf&& score_of) {
  std::vector<std::size_t> order(request.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return score_of(a) > score_of(b); });
  order.resize(std::min(order.size(), request.limit.value_or(order.size())));
  return order;
}

Json ranked_document(const ScoringRequest& request, std::size_t rank, std::size_t index,
                     double score) {
  Json json = {{"rank", rank + 1}, {"index", index}};
  if (index < request.ids.size() && !request.ids[index].empty()) json["id"] = request.ids[index];
  json["score"] = score;
  return json;
}

// A number, the value of a category, or null for a missing value.
Json value_json(const SavedModel& model, std::size_t feature, float x) {
  if (std::isnan(x)) return {};
  const Strings* const values = model.schema.values(feature);
  const auto code = values ? code_of(x, values->size()) : std::nullopt;
  return code ? Json((*values)[*code]) : Json(decimal(x));
}

// The contributions, largest first; "others" has the sum of those beyond `top`.
void add_contributions(Json& json, const SavedModel& model, const Explanation& why,
                       std::span<const float> values, std::size_t top) {
  std::vector<std::size_t> order(why.contributions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(why.contributions[a]) > std::abs(why.contributions[b]);
  });
  Json list = Json::array();
  double others = why.rest;
  for (const std::size_t f : order) {
    const double contribution = why.contributions[f];
    if (list.size() < top && contribution != 0)
      list.push_back({{"feature", model.features[f]},
                      {"value", value_json(model, f, values[f])},
                      {"contribution", contribution}});
    else
      others += contribution;
  }
  json["base"] = why.base;
  json["contributions"] = std::move(list);
  json["others"] = others;
}

Json model_json(const ServedModel& served) {
  const SavedModel& saved = served.model->saved();
  Json json = {{"name", served.name},
               {"file", std::filesystem::path(served.path).filename().string()},
               {"learner", saved.learner},
               {"kind", kind_name(saved.model)}};
  if (const auto trees = tree_count(saved.model)) json["trees"] = *trees;
  json["explained_by"] = explanation_method(saved.model);
  json["missing"] = saved.missing;
  json["normalization"] = std::string(to_text(saved.normalization.normalization));
  json["loaded"] = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                               fmt::gmtime(std::chrono::system_clock::to_time_t(served.loaded)));
  json["problem"] = served.problem.empty() ? Json() : Json(served.problem);
  json["features"] = saved.features;
  return json;
}

}  // namespace

std::string error_answer(std::string_view reason) {
  return text_of({{"error", reason}});
}

std::string score_answer(const std::string& model, std::span<const double> scores) {
  return text_of({{"model", model}, {"scores", scores}});
}

std::string rank_answer(const std::string& model, const ScoringRequest& request,
                        std::span<const double> scores) {
  const auto order = ranking(request, [&](std::size_t i) { return scores[i]; });
  Json documents = Json::array();
  for (std::size_t rank = 0; rank < order.size(); ++rank)
    documents.push_back(ranked_document(request, rank, order[rank], scores[order[rank]]));
  return text_of({{"model", model}, {"documents", std::move(documents)}});
}

std::string explain_answer(const std::string& name, const SavedModel& model,
                           const ScoringRequest& request, const Dataset& documents,
                           std::span<const Explanation> why) {
  const auto order = ranking(request, [&](std::size_t i) { return why[i].score; });
  std::vector<float> values(model.features.size());
  Json list = Json::array();
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const std::size_t i = order[rank];
    Json document = ranked_document(request, rank, i, why[i].score);
    documents.rows(i, i + 1).copy(0, values);
    add_contributions(document, model, why[i], values, request.top.value_or(values.size()));
    list.push_back(std::move(document));
  }
  return text_of({{"model", name},
                  {"method", explanation_method(model.model)},
                  {"documents", std::move(list)}});
}

std::string interleave_answer(const InterleavedModels& models, const ScoringRequest& request,
                              std::span<const double> scores_a, std::span<const double> scores_b) {
  // Ids decide nothing but the coins: two documents may have the same.
  std::vector<std::string> rankings[2];
  for (const std::size_t team : {std::size_t{0}, std::size_t{1}}) {
    const auto scores = team == 0 ? scores_a : scores_b;
    std::vector<std::size_t> order(request.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t x, std::size_t y) { return scores[x] > scores[y]; });
    for (const std::size_t i : order) rankings[team].push_back(std::to_string(i));
  }
  const std::size_t limit = request.limit.value_or(request.size());
  Json documents = Json::array();
  if (limit > 0)
    for (const InterleavedDocument& one :
         interleave(rankings[0], rankings[1], Interleaving::team_draft, limit, models.seed,
                    request.session, request.query)) {
      const auto index = static_cast<std::size_t>(std::stoull(one.document));
      const bool is_a = one.owner == Owner::a;
      Json document =
          ranked_document(request, documents.size(), index, (is_a ? scores_a : scores_b)[index]);
      document["owner"] = is_a ? "a" : "b";
      documents.push_back(std::move(document));
    }
  return text_of({{"a", models.a},
                  {"b", models.b},
                  {"session", request.session},
                  {"query", request.query},
                  {"seed", models.seed},
                  {"documents", std::move(documents)}});
}

std::string models_answer(const ServedModels& shelf) {
  Json models = Json::array();
  for (const ServedModel& served : shelf.all()) models.push_back(model_json(served));
  return text_of({{"default", shelf.first()}, {"models", std::move(models)}});
}

}  // namespace podium

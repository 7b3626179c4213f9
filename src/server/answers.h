// The JSON answers to requests; docs/guide/serving.md shows each.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "podium/explain.h"
#include "server/scoring_request.h"
#include "server/served_models.h"

namespace podium {

std::string error_answer(std::string_view reason);
std::string score_answer(const std::string& model, std::span<const double> scores);
// Best first; equal scores in the order of the request.
std::string rank_answer(const std::string& model, const ScoringRequest& request,
                        std::span<const double> scores);
// Like rank_answer, with each document's contributions, largest first; `documents` are as given to
// the model.
std::string explain_answer(const std::string& name, const SavedModel& model,
                           const ScoringRequest& request, const Dataset& documents,
                           std::span<const Explanation> why);
// The list of both rankers' documents for the request's session and query, up to its limit, and who
// owns which: see podium/interleaving.h. Documents without an id are named by their index.
struct InterleavedModels {
  std::string a, b;  // names
  std::uint64_t seed = 1;
};
std::string interleave_answer(const InterleavedModels& models, const ScoringRequest& request,
                              std::span<const double> scores_a, std::span<const double> scores_b);
std::string models_answer(const ServedModels& shelf);

}  // namespace podium

// Models: the only place, with readers and trees, that sees features. Kinds of model are a closed
// set, a std::variant, so the compiler lists everything that a new kind must be taught to.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "podium/context.h"
#include "podium/dataset.h"
#include "podium/options.h"
#include "podium/transform.h"

namespace podium {

// s(x) = <weights, x> + bias. A missing value counts as 0.
struct Linear {
  std::vector<double> weights;
  double bias = 0;
};

using Model = std::variant<Linear>;

std::size_t feature_count(const Model& model);
// One score a document, in the data's order.
std::vector<double> score(const Model& model, const Dataset& data, ThreadPool& pool);
// A non-negative figure a feature: how much it moves the scores.
std::vector<double> importance(const Model& model);

// A proof of how far the training objective is from its optimum.
struct Certificate {
  double primal = 0;
  double dual = 0;
  double gap = 0;  // relative
};

// A model with all that is needed to use it and to know where it came from: the model file.
struct SavedModel {
  std::string learner;
  std::vector<std::pair<std::string, Value>> options;
  std::string loss;                   // or ""
  std::string measure;                // that chose it, or ""
  std::vector<std::string> features;  // names of the model's inputs, in order
  std::string missing = "zero";       // what a missing value counts as
  Transform normalization;            // of the input data, applied again when scoring
  Model model;

  struct Training {
    std::uint64_t documents = 0;
    std::uint64_t queries = 0;
    std::uint64_t fingerprint = 0;  // Dataset::fingerprint of the training data
    std::uint64_t seed = 0;
    std::int64_t best_iteration = 0;
    std::map<std::string, double> validation;
    std::optional<Certificate> certificate;
  } training;
};

// JSON, with `.zst` by the file's ending. Loading checks everything: a damaged or hostile file
// gives an Error with its place.
void save_model(const SavedModel& model, const std::string& path);
SavedModel load_model(const std::string& path);
SavedModel model_from_json(std::string_view json, const std::string& file);
std::string to_json(const SavedModel& model);

// Scores of data as read: matches features by name, transforms, scores.
std::vector<double> score(const SavedModel& model, const Dataset& data, Context& context);

}  // namespace podium

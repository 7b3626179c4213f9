// Models: with readers and trees, the only code that sees features. Kinds of model are a closed
// set, a std::variant, so the compiler lists everything that a new kind needs.
#pragma once

#include <algorithm>
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
#include "podium/link.h"
#include "podium/options.h"
#include "podium/transform.h"

namespace podium {

// s(x) = <weights, x> + bias. A missing value counts as 0.
struct Linear {
  std::vector<double> weights;
  double bias = 0;
};

// A binary regression tree. A node compares a number, which goes left if x ≤ threshold, or tests a
// category, which goes left if its code is in the node's set. child() is the only place that
// decides.
struct Tree {
  struct Node {
    std::uint32_t feature = 0;
    float threshold = 0;
    enum class Missing : std::uint8_t { left, right } missing = Missing::left;
    std::int32_t left = 0, right = 0;  // ≥ 0: a node, always a later one; < 0: the leaf ~child
    double gain = 0;                   // estimated reduction of the training loss
    std::uint64_t documents = 0;       // of the training data that reached this node
  };
  std::vector<Node> nodes;                    // the root first; empty: one leaf only
  std::vector<double> values;                 // one per leaf: nodes.size() + 1
  std::vector<std::uint64_t> leaf_documents;  // one per leaf
  // The codes that go left, ascending, one list per node, which is empty for a comparison of
  // numbers; no lists at all if all nodes compare numbers. All other codes go right, even codes
  // that no training document had.
  std::vector<std::vector<std::uint32_t>> categories = {};

  bool tests_category(std::size_t node) const noexcept {
    return !categories.empty() && !categories[node].empty();
  }
  std::int32_t child(std::size_t node, float x) const noexcept {
    const Node& at = nodes[node];
    const bool goes_left = x != x                 ? at.missing == Node::Missing::left
                           : tests_category(node) ? contains(categories[node], x)
                                                  : x <= at.threshold;
    return goes_left ? at.left : at.right;
  }

 private:
  static bool contains(const std::vector<std::uint32_t>& codes, float x) noexcept {
    return x >= 0 && x < static_cast<float>(kMostCategories) &&
           std::binary_search(codes.begin(), codes.end(), static_cast<std::uint32_t>(x));
  }
};

// A sum of trees: output k of a document is base[k] (+ its offset feature) + the values of trees
// k, k + K, k + 2K, … in this order, K = link.outputs(); the link combines the outputs into a
// score.
struct Forest {
  std::size_t features = 0;
  std::vector<double> base = {0};                    // one per output
  std::optional<std::uint32_t> offset_feature = {};  // added to each output; a missing value is 0
  Link link = {};
  std::vector<Tree> trees;
};

// A multi-layer perceptron: z⁰ = the standardised inputs, zˡ = φ(Wˡ zˡ⁻¹ + bˡ); the score is the
// last layer's one output, without φ. A missing value counts as the mean.
struct Mlp {
  enum class Activation : std::uint8_t { tanh, relu } activation = Activation::tanh;
  std::vector<float> mean, scale;  // of each input: z = (x − mean) / scale, 0 where scale is 0
  struct Layer {
    std::vector<std::vector<float>> weights;  // one row per output
    std::vector<float> bias;                  // one per output
  };
  std::vector<Layer> layers;  // the last has one output, the score
};

// A weighted sum of models, each with its own features and transform:
//
//   s(x) = Σ weight / scale · s_m(x)
//
// The scales are constants that put the members' scores on one scale, so weights are comparable; a
// document's score does not depend on the other documents unless a member's transform does.
struct BlendMember;
struct Blend {
  std::vector<std::string> features;  // names of the inputs: at least all members' features
  std::vector<BlendMember> members;   // not empty, and none is a blend
};

using Model = std::variant<Linear, Forest, Mlp, Blend>;

std::size_t feature_count(const Model& model);
// One score per document, in the data's order.
std::vector<double> score(const Model& model, const Dataset& data, Context& context);
// One non-negative number per feature: how much it changes the scores (linear: |weight|; forest:
// the sum of its splits' gains; perceptron: the sum over all paths to the score of the product of
// their |weights|, for inputs in units of their deviation; blend: the members' importance, each
// divided by its sum, weighted by |weight|).
std::vector<double> importance(const Model& model);
// Forest: how many splits use each feature. Blend: the sum over the members. Otherwise 1 for each
// feature with a weight that is not 0.
std::vector<double> split_counts(const Model& model);

// A proof of how far the training objective is from its optimum.
struct Certificate {
  double primal = 0;
  double dual = 0;
  double gap = 0;  // relative
};

// A model with everything needed to use it and its provenance: the content of the model file.
struct SavedModel {
  std::string learner;
  std::vector<std::pair<std::string, Value>> options;
  std::string loss;                   // or ""
  std::string measure;                // used to choose it, or ""
  std::vector<std::string> features;  // names of the model's inputs, in order
  FeatureSchema schema;               // their types; when scoring, categories are matched by
                                      // value, and unknown values are missing
  std::string missing = "zero";       // treatment of missing values; forests: "split", as each
                                      // node specifies; perceptrons: "mean"; blends: "members"
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
    bool on_top_of_scores = false;  // its scores must be added to given ones
    std::string useless;            // why it ranks nothing, or ""
    std::string label = {};         // the expression of columns that labels were computed from
  } training;
};

struct BlendMember {
  double weight = 1;
  double scale = 1;  // above 0
  SavedModel saved;

  double factor() const noexcept { return weight / scale; }
};

// A blend of models as one model of the union of their features. Members that are blends are
// replaced by their own members. Usage Error if there are no members, or if they cannot be added:
// models on top of given scores, or a feature that is a category for one and a number for another.
SavedModel make_blend(std::vector<BlendMember> members);

// JSON, compressed if the file ends in `.zst`. Loading checks everything: a damaged or hostile file
// gives an Error with its location.
void save_model(const SavedModel& model, const std::string& path);
SavedModel load_model(const std::string& path);
SavedModel model_from_json(std::string_view json, const std::string& file);
std::string to_json(const SavedModel& model);

// The number of model inputs that a feature becomes: one, its indicators, or its encoding.
std::size_t inputs_of(const SavedModel& model, std::size_t feature);
// The types of the model's inputs: those of its features, where a feature becomes one input.
FeatureSchema input_schema(const SavedModel& model);
// The names of all inputs.
std::vector<std::string> input_names(const SavedModel& model);
// Whether the score of a document depends on the other documents of its query.
bool needs_queries(const SavedModel& model);
// Data as read, converted to the model's inputs: features matched by name, transformed.
Dataset prepare_inputs(const SavedModel& model, const Dataset& data, Context& context);
// Scores of data as read.
std::vector<double> score(const SavedModel& model, const Dataset& data, Context& context);

}  // namespace podium

#include "models/importers/xgboost_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "core/math_functions.h"
#include "models/importers/json_part.h"
#include "models/importers/ubjson.h"
#include "podium/feature_schema.h"

namespace podium {
namespace {

using Output = XgboostFile::Output;

struct XgboostObjective {
  std::string_view name;
  Output output;
};
constexpr XgboostObjective kXgboostObjectives[] = {
    {"reg:squarederror", Output::sum},
    {"reg:linear", Output::sum},
    {"reg:squaredlogerror", Output::sum},
    {"reg:pseudohubererror", Output::sum},
    {"reg:absoluteerror", Output::sum},
    {"reg:quantileerror", Output::sum},
    {"reg:expectileerror", Output::sum},
    {"rank:ndcg", Output::sum},
    {"rank:map", Output::sum},
    {"rank:pairwise", Output::sum},
    {"binary:logitraw", Output::sum},
    {"binary:hinge", Output::sign},
    {"binary:logistic", Output::logistic},
    {"reg:logistic", Output::logistic},
    {"count:poisson", Output::exponential},
    {"reg:gamma", Output::exponential},
    {"reg:tweedie", Output::exponential},
    {"survival:cox", Output::exponential},
    {"survival:aft", Output::exponential},
};

Output output_of(const JsonPart& name) {
  for (const XgboostObjective& objective : kXgboostObjectives)
    if (objective.name == name.text()) return objective.output;
  name.fail("is not one of the objectives that can be imported, which have one output");
}

// "5E-1", or since 3.1 "[5E-1]", one number per output.
double base_score(const JsonPart& part) {
  std::string_view text = part.text();
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  if (text.find(',') != std::string_view::npos)
    part.fail("has several numbers: the model has several outputs, and Podium's have one");
  double score = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), score);
  if (error != std::errc() || stop != text.data() + text.size() || !std::isfinite(score))
    part.fail("is not a finite number");
  return score;
}

float base_margin(const JsonPart& learner, Output output) {
  const JsonPart part = learner.at("learner_model_param").at("base_score");
  const double score = base_score(part);
  if (output == Output::logistic) {
    if (!(score > 0 && score < 1)) part.fail("is not between 0 and 1");
    return static_cast<float>(-math::log(1 / score - 1));
  }
  if (output == Output::exponential) {
    if (!(score > 0)) part.fail("is not positive");
    return static_cast<float>(math::log(score));
  }
  return static_cast<float>(score);
}

void require_column(const JsonPart& tree, const char* key, std::size_t size, std::size_t nodes) {
  if (size != nodes) tree.at(key).fail(fmt::format("has {} entries for {} nodes", size, nodes));
}

std::vector<double> optional_numbers(const JsonPart& tree, const char* key, std::size_t nodes) {
  if (!tree.has(key)) return {};
  std::vector<double> out = tree.at(key).numbers();
  for (double& number : out) number = static_cast<double>(static_cast<float>(number));
  if (out.size() != nodes) out.clear();
  return out;
}

// categories[segments[i]] … + sizes[i] − 1 are the set of node categories_nodes[i].
void read_category_splits(const JsonPart& part, XgboostTree& tree) {
  std::vector<bool> is_category(tree.left.size());
  if (part.has("split_type")) {
    const auto types = part.at("split_type").wholes();
    require_column(part, "split_type", types.size(), tree.left.size());
    for (std::size_t n = 0; n < types.size(); ++n) is_category[n] = types[n] != 0;
  }
  if (part.has("categories_nodes") && !part.at("categories_nodes").wholes().empty()) {
    const auto nodes = part.at("categories_nodes").wholes();
    const auto begins = part.at("categories_segments").wholes();
    const auto sizes = part.at("categories_sizes").wholes();
    const auto numbers = part.at("categories").wholes();
    require_column(part, "categories_segments", begins.size(), nodes.size());
    require_column(part, "categories_sizes", sizes.size(), nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const auto all = static_cast<std::int64_t>(numbers.size());
      if (nodes[i] < 0 || static_cast<std::size_t>(nodes[i]) >= tree.left.size())
        part.at("categories_nodes").fail(fmt::format("has node {}", nodes[i]));
      if (begins[i] < 0 || begins[i] > all || sizes[i] <= 0 || sizes[i] > all - begins[i])
        part.at("categories_sizes").fail(fmt::format("does not fit at node {}", nodes[i]));
      auto& set = tree.categories[static_cast<std::size_t>(nodes[i])];
      for (std::int64_t k = begins[i]; k < begins[i] + sizes[i]; ++k) {
        const std::int64_t number = numbers[static_cast<std::size_t>(k)];
        if (number < 0 || number >= static_cast<std::int64_t>(kMostCategories))
          part.at("categories").fail(fmt::format("has the category {}", number));
        set.push_back(static_cast<std::uint32_t>(number));
      }
      std::sort(set.begin(), set.end());
      set.erase(std::unique(set.begin(), set.end()), set.end());
    }
  }
  for (std::size_t n = 0; n < tree.left.size(); ++n)
    if (tree.left[n] >= 0 && is_category[n] != tree.categories.contains(n))
      part.at("split_type").fail(fmt::format("and the categories do not fit at node {}", n));
}

XgboostTree read_xgboost_tree(const JsonPart& part, std::uint64_t features) {
  const JsonPart param = part.at("tree_param");
  if (param.has("size_leaf_vector") && param.at("size_leaf_vector").whole() > 1)
    param.at("size_leaf_vector").fail("is above 1: the trees have several outputs");
  XgboostTree tree;
  tree.left = part.at("left_children").wholes();
  const std::size_t nodes = tree.left.size();
  if (nodes == 0) part.at("left_children").fail("is empty");
  tree.right = part.at("right_children").wholes();
  require_column(part, "right_children", tree.right.size(), nodes);
  tree.feature = part.at("split_indices").wholes();
  require_column(part, "split_indices", tree.feature.size(), nodes);
  tree.default_left = part.at("default_left").booleans();
  require_column(part, "default_left", tree.default_left.size(), nodes);
  for (const double condition : part.at("split_conditions").numbers())
    tree.condition.push_back(static_cast<float>(condition));
  require_column(part, "split_conditions", tree.condition.size(), nodes);
  for (std::size_t n = 0; n < nodes; ++n) {
    if (tree.left[n] < 0) continue;
    if (tree.right[n] < 0) part.at("right_children").fail(fmt::format("has none at node {}", n));
    if (tree.feature[n] < 0 || static_cast<std::uint64_t>(tree.feature[n]) >= features)
      part.at("split_indices")
          .fail(fmt::format("has feature {}, but the model has {}", tree.feature[n], features));
  }
  read_category_splits(part, tree);
  tree.gain = optional_numbers(part, "loss_changes", nodes);
  tree.cover = optional_numbers(part, "sum_hessian", nodes);
  return tree;
}

// The names of one feature's categories: texts as bytes and offsets, or numbers.
std::vector<std::string> category_names(const JsonPart& part) {
  std::vector<std::string> names;
  if (!part.has("offsets")) {
    for (const double number : part.at("values").numbers())
      names.push_back(fmt::format("{}", number));
    return names;
  }
  const auto offsets = part.at("offsets").wholes(), bytes = part.at("values").wholes();
  std::string text;
  for (const std::int64_t byte : bytes) text += static_cast<char>(byte);
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    if (offsets[i] < 0 || offsets[i + 1] < offsets[i] ||
        offsets[i + 1] > static_cast<std::int64_t>(text.size()))
      part.at("offsets").fail("does not fit the values");
    names.push_back(text.substr(static_cast<std::size_t>(offsets[i]),
                                static_cast<std::size_t>(offsets[i + 1] - offsets[i])));
  }
  return names;
}

void read_trees(const JsonPart& model, XgboostFile& out) {
  if (model.has("cats") && model.at("cats").has("enc")) {
    const auto encodings = model.at("cats").at("enc").items();
    for (std::size_t f = 0; f < std::min<std::size_t>(encodings.size(), out.features); ++f)
      if (auto names = category_names(encodings[f]); !names.empty())
        out.category_names[static_cast<std::uint32_t>(f)] = std::move(names);
  }
  if (model.has("tree_info"))
    for (const std::int64_t output : model.at("tree_info").wholes())
      if (output != 0) model.at("tree_info").fail("has trees of several outputs");
  for (const JsonPart& tree : model.at("trees").items())
    out.trees.push_back(read_xgboost_tree(tree, out.features));
}

void read_gblinear(const JsonPart& model, XgboostFile& out) {
  const JsonPart weights = model.at("weights");
  for (const double weight : weights.numbers()) out.linear.push_back(static_cast<float>(weight));
  if (out.linear.size() != out.features + 1)
    weights.fail(
        fmt::format("has {} numbers for {} features and a bias", out.linear.size(), out.features));
}

void read_booster(const JsonPart& booster, XgboostFile& out) {
  const std::string& name = booster.at("name").text();
  if (name == "gbtree") {
    read_trees(booster.at("model"), out);
  } else if (name == "gblinear") {
    read_gblinear(booster.at("model"), out);
  } else if (name == "dart") {
    read_trees(booster.at("gbtree").at("model"), out);
    const std::vector<double> weights = booster.at("weight_drop").numbers();
    if (weights.size() != out.trees.size())
      booster.at("weight_drop")
          .fail(fmt::format("has {} numbers for {} trees", weights.size(), out.trees.size()));
    for (std::size_t t = 0; t < weights.size(); ++t)
      out.trees[t].weight = static_cast<float>(weights[t]);
  } else {
    booster.at("name").fail("is none of gbtree, dart and gblinear");
  }
}

void read_feature_names(const JsonPart& learner, XgboostFile& out) {
  const JsonPart param = learner.at("learner_model_param");
  for (const char* outputs : {"num_class", "num_target"})
    if (param.has(outputs) && param.at(outputs).whole() > 1)
      param.at(outputs).fail("is above 1; Podium imports models with one score");
  const std::int64_t features = param.at("num_feature").whole();
  if (features <= 0) param.at("num_feature").fail("is not positive");
  out.features = static_cast<std::uint64_t>(features);
  if (!learner.has("feature_names")) return;
  out.feature_names = learner.at("feature_names").texts();
  if (!out.feature_names.empty() && out.feature_names.size() != out.features)
    learner.at("feature_names")
        .fail(fmt::format("has {} names for {} features", out.feature_names.size(), out.features));
}

}  // namespace

XgboostFile parse_xgboost(std::string_view content, const std::string& file) {
  const nlohmann::json json =
      is_ubjson(content) ? parse_ubjson(content, file) : parse_import(content, file, "an XGBoost");
  const JsonPart learner = JsonPart(json, file).at("learner");
  XgboostFile out;
  read_feature_names(learner, out);
  const JsonPart objective = learner.at("objective").at("name");
  out.objective = objective.text();
  out.output = output_of(objective);
  out.base_margin = base_margin(learner, out.output);
  read_booster(learner.at("gradient_booster"), out);
  if (learner.has("attributes") && learner.at("attributes").has("best_iteration"))
    out.best_iteration = learner.at("attributes").at("best_iteration").whole();
  return out;
}

}  // namespace podium

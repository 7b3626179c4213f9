// Describes a model file: its provenance, its size, and the inputs it uses.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "cli/flags.h"
#include "cli/inspect.h"
#include "core/counted.h"
#include "core/overloaded.h"
#include "data/schema_json.h"
#include "models/forest/forest.h"
#include "models/model_kinds.h"
#include "podium/error.h"
#include "podium/model.h"

namespace podium::cli {
namespace {

constexpr std::size_t kShown = 20;  // inputs in the text

// The trees' sizes.
Json size_of_trees(const Forest& forest) {
  std::size_t leaves = 0, deepest = 0;
  for (const Tree& tree : forest.trees) {
    leaves += tree.values.size();
    deepest = std::max(deepest, depth(tree));
  }
  const auto trees = static_cast<double>(std::max<std::size_t>(1, forest.trees.size()));
  return {{"trees", forest.trees.size()},
          {"leaves", leaves},
          {"leaves_per_tree", static_cast<double>(leaves) / trees},
          {"depth", deepest},
          {"outputs", forest.base.size()},
          {"link", to_text(forest.link.kind)}};
}

// The widths of the layers, starting with the inputs.
Json size_of_layers(const Mlp& mlp) {
  Json widths = Json::array({mlp.mean.size()});
  for (const Mlp::Layer& layer : mlp.layers) widths.push_back(layer.bias.size());
  return {{"activation", mlp.activation == Mlp::Activation::tanh ? "tanh" : "relu"},
          {"widths", std::move(widths)}};
}

// The size of a model; null for parts that its kind lacks.
struct ModelSize {
  Json forest = nullptr, network = nullptr, members = nullptr;
};
ModelSize size_of_kind(const Model& model);

// Each member with its weight and its own size.
Json members_json(const Blend& blend) {
  Json members = Json::array();
  for (const BlendMember& member : blend.members) {
    const SavedModel& saved = member.saved;
    const ModelSize size = size_of_kind(saved.model);
    members.push_back({{"weight", member.weight},
                       {"scale", member.scale},
                       {"learner", saved.learner},
                       {"kind", kind_name(saved.model)},
                       {"options", options_json(saved.options)},
                       {"features", saved.features.size()},
                       {"missing", saved.missing},
                       {"normalization", podium::to_text(saved.normalization.normalization)}});
    if (!size.forest.is_null()) members.back()["forest"] = size.forest;
    if (!size.network.is_null()) members.back()["network"] = size.network;
  }
  return members;
}

std::string members_text(const Json& members) {
  std::string text;
  for (const Json& member : members) {
    std::string size = member["kind"];
    if (member.contains("forest"))
      size += ", " + counted(member["forest"]["trees"].get<std::size_t>(), "tree");
    text += fmt::format("member {}\tweight {:.6g}, scale {:.6g}, {}, {}\n",
                        member["learner"].get<std::string>(), member["weight"].get<double>(),
                        member["scale"].get<double>(), size,
                        counted(member["features"].get<std::size_t>(), "feature"));
  }
  return text;
}

ModelSize size_of_kind(const Model& model) {
  return std::visit(
      Overloaded{[](const Linear&) { return ModelSize(); },
                 [](const Forest& forest) { return ModelSize{.forest = size_of_trees(forest)}; },
                 [](const Mlp& mlp) { return ModelSize{.network = size_of_layers(mlp)}; },
                 [](const Blend& blend) { return ModelSize{.members = members_json(blend)}; }},
      model);
}

// Inputs in use, most important first.
Json ranked_inputs(const SavedModel& saved) {
  const std::vector<double> sizes = importance(saved.model), splits = split_counts(saved.model);
  const std::vector<std::string> names = input_names(saved);
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
  Json ranked = Json::array();
  for (const std::size_t f : order) {
    if (!(sizes[f] > 0) && splits[f] == 0) continue;
    ranked.push_back({{"feature", names[f]}, {"importance", sizes[f]}});
    if (tree_count(saved.model)) ranked.back()["splits"] = splits[f];
  }
  return ranked;
}

std::string importance_text(const Json& ranked) {
  std::string text = fmt::format("importance (of {} in use)\n", counted(ranked.size(), "input"));
  for (std::size_t i = 0; i < std::min(ranked.size(), kShown); ++i) {
    const Json& one = ranked[i];
    text += fmt::format("  {:<24} {:.6g}", one["feature"].get<std::string>(),
                        one["importance"].get<double>());
    if (one.contains("splits")) text += "\t" + counted(one["splits"].get<std::uint64_t>(), "split");
    text += '\n';
  }
  if (ranked.size() > kShown)
    text += fmt::format("  … {} more (--json shows all)\n", ranked.size() - kShown);
  return text;
}

// Where the model replaces missing values, encodes categories, or computed its labels.
std::string preparation_text(const SavedModel& saved) {
  const Transform& transform = saved.normalization;
  std::string text;
  if (transform.imputation != Imputation::none)
    text += fmt::format("impute\t{}, {}\n", podium::to_text(transform.imputation),
                        counted(transform.indicators.size(), "indicator"));
  for (const CategoryEncoding& encoding : transform.encodings)
    text += fmt::format("encode {}\t{}\n", saved.features[encoding.feature],
                        podium::to_text(encoding.kind));
  if (!saved.training.label.empty()) text += fmt::format("label\t{}\n", saved.training.label);
  return text;
}

Json preparation_json(const SavedModel& saved) {
  const Transform& transform = saved.normalization;
  Json json = Json::object();
  if (transform.imputation != Imputation::none) {
    json["impute"] = podium::to_text(transform.imputation);
    for (const std::uint32_t f : transform.indicators)
      json["indicators"].push_back(saved.features[f]);
  }
  for (const CategoryEncoding& encoding : transform.encodings)
    json["encode"][saved.features[encoding.feature]] = podium::to_text(encoding.kind);
  if (!saved.training.label.empty()) json["label"] = saved.training.label;
  return json;
}

std::string model_text(const SavedModel& saved, const Json& json) {
  std::string text;
  for (const auto& [name, value] : saved.options)
    text += fmt::format("option {}\t{}\n", name, podium::to_text(value));
  if (!saved.loss.empty()) text += fmt::format("loss\t{}\n", saved.loss);
  text += fmt::format("chosen by\t{}\n", saved.measure);
  for (const auto& [name, value] : saved.training.validation)
    text += fmt::format("valid {}\t{:.6f}\n", name, value);
  text += fmt::format("trained on\t{}, {}, fingerprint {:016x}\n",
                      counted(saved.training.queries, "query"),
                      counted(saved.training.documents, "document"), saved.training.fingerprint);
  if (!saved.training.useless.empty())
    text += fmt::format("of no use\t{}\n", with_flags(saved.training.useless));
  text += fmt::format("features\t{}, missing {}, normalization {}\n", saved.features.size(),
                      saved.normalization.imputation != Imputation::none ? "is imputed"
                      : saved.missing == "split"   ? "goes where each split says"
                      : saved.missing == "members" ? "is treated by each member"
                                                   : "counts as " + saved.missing,
                      podium::to_text(saved.normalization.normalization));
  text += preparation_text(saved);
  for (const auto& category : saved.schema.categories())
    text += fmt::format("category {}\t{}\n", saved.features[category.feature],
                        counted(category.values.size(), "value"));
  if (!saved.schema.ignored().empty())
    text += fmt::format("ignored columns\t{}\n", fmt::join(saved.schema.ignored(), ", "));
  if (const Json& forest = json["forest"]; !forest.is_null())
    text += fmt::format("forest\t{}, {} ({:.1f} per tree), depth {}, {}, {}\n",
                        counted(forest["trees"].get<std::size_t>(), "tree"),
                        counted(forest["leaves"].get<std::size_t>(), "leaf", "leaves"),
                        forest["leaves_per_tree"].get<double>(), forest["depth"].get<std::size_t>(),
                        counted(forest["outputs"].get<std::size_t>(), "output"),
                        forest["link"].get<std::string>());
  if (const Json& network = json["network"]; !network.is_null())
    text += fmt::format("network\twidths {}, {}\n", network["widths"].dump(),
                        network["activation"].get<std::string>());
  if (const Json& members = json["members"]; !members.is_null()) text += members_text(members);
  return text + importance_text(json["importance"]);
}

}  // namespace

Inspection inspect_model(const std::string& path) {
  const SavedModel saved = load_model(path);
  ModelSize size = size_of_kind(saved.model);
  Inspection out;
  out.json = {{"file", path},
              {"kind", "model"},
              {"learner", saved.learner},
              {"options", options_json(saved.options)},
              {"loss", saved.loss},
              {"measure", saved.measure},
              {"features", saved.features.size()},
              {"missing", saved.missing},
              {"normalization", podium::to_text(saved.normalization.normalization)},
              {"training",
               {{"queries", saved.training.queries},
                {"documents", saved.training.documents},
                {"fingerprint", fmt::format("{:016x}", saved.training.fingerprint)},
                {"seed", saved.training.seed},
                {"best_iteration", saved.training.best_iteration},
                {"validation", saved.training.validation}}},
              {"forest", std::move(size.forest)},
              {"network", std::move(size.network)},
              {"members", std::move(size.members)},
              {"importance", ranked_inputs(saved)}};
  out.json["training"]["useless"] = nullptr;
  if (!saved.training.useless.empty())
    out.json["training"]["useless"] = with_flags(saved.training.useless);
  if (Json preparation = preparation_json(saved); !preparation.empty())
    out.json["preparation"] = std::move(preparation);
  if (!saved.schema.empty())
    out.json["feature_schema"] = Json::parse(schema_to_json(saved.schema, saved.features));
  out.text =
      fmt::format("{}: a model trained by {}\n", path, saved.learner) + model_text(saved, out.json);
  for (const char* part : {"forest", "network", "members"})
    if (out.json[part].is_null()) out.json.erase(part);
  return out;
}

Inspection inspect_trees(const std::string& path) {
  const SavedModel saved = load_model(path);
  const Forest& forest = require_forest(
      saved.model, Error(ErrorCode::usage,
                         fmt::format("{} has no trees: its learner is {}", path, saved.learner)));
  Inspection out;
  out.text = dump(forest, input_names(saved), input_schema(saved));
  out.json = {{"file", path}, {"kind", "model"}, {"trees", out.text}};
  return out;
}

}  // namespace podium::cli

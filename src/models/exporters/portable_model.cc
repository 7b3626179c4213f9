#include "models/exporters/portable_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "core/overloaded.h"
#include "models/exporters/added_models.h"
#include "models/exporters/exporter.h"
#include "models/exporters/missing_sides.h"
#include "models/exporters/nonnegative_scores.h"
#include "models/exporters/refuse_export.h"
#include "models/exporters/thresholds.h"
#include "models/forest/forest.h"
#include "models/model_kinds.h"
#include "podium/error.h"

namespace podium {
namespace {

using Missing = Tree::Node::Missing;

constexpr std::size_t kDeepest = 1000;  // of trees written as nested text

// Input i of the model is [x > threshold] of this feature of the data.
struct Indicator {
  std::uint32_t feature;
  float threshold;
};

std::vector<Indicator> indicators(const Transform& transform) {
  std::vector<Indicator> out;
  for (std::size_t f = 0; f < transform.thresholds.size(); ++f)
    for (const float t : transform.thresholds[f])
      out.push_back({static_cast<std::uint32_t>(f), transform.log1p ? undo_log1p(t) : t});
  return out;
}

// Each weight becomes a stump that returns it if the indicator holds. A missing value gives 0.
Model on_features(const Linear& linear, const std::vector<Indicator>& inputs, std::size_t features,
                  std::string_view) {
  Forest forest;
  forest.features = features;
  forest.base = {linear.bias};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (linear.weights[i] == 0) continue;
    Tree stump;
    stump.nodes = {{inputs[i].feature, inputs[i].threshold, Missing::left, ~0, ~1, 0, 0}};
    stump.values = {0, linear.weights[i]};
    stump.leaf_documents = {0, 0};
    forest.trees.push_back(std::move(stump));
  }
  return forest;
}

// Splits on an indicator become splits on the feature itself.
Model on_features(Forest forest, const std::vector<Indicator>& inputs, std::size_t features,
                  std::string_view format) {
  if (forest.offset_feature)
    refuse_export(format, "the model adds a binned feature to its score, which no format supports");
  for (Tree& tree : forest.trees)
    for (Tree::Node& node : tree.nodes) {
      if (!(node.threshold >= 0 && node.threshold < 1))
        refuse_export(format,
                      fmt::format("a tree splits an indicator of 0 or 1 at {}", node.threshold));
      const Indicator& indicator = inputs[node.feature];
      node.feature = indicator.feature;
      node.threshold = indicator.threshold;
    }
  forest.features = features;
  return forest;
}
Model on_features(const Mlp&, const std::vector<Indicator>&, std::size_t, std::string_view format) {
  refuse_export(
      format,
      "the model is a perceptron on binned features (‹bins›), which no format supports; train "
      "it without ‹bins›, or train trees or a linear model with them");
}

Model on_features(const Blend& blend, const std::vector<Indicator>&, std::size_t,
                  std::string_view) {
  return blend;  // unreachable: a blend has no transform of its own
}

void move_thresholds(Forest& forest, std::string_view format) {
  if (forest.offset_feature)
    refuse_export(format, "the model adds the logarithm of a feature to its score");
  for (Tree& tree : forest.trees)
    for (Tree::Node& node : tree.nodes) {
      node.threshold = undo_log1p(node.threshold);
      if (!std::isfinite(node.threshold))
        refuse_export(format, "a tree splits a logarithm below all values");
    }
}

void keep_logarithms(PortableModel& portable, const Capabilities& can, std::string_view format) {
  if (!can.log1p)
    refuse_export(format,
                  fmt::format("the model takes logarithms of its inputs (‹log1p›); {} support that",
                              carriers(&Capabilities::log1p)));
  portable.inputs = PortableModel::Inputs::log1p;
}

// Replaced missing values and encoded categories are inputs that no format computes. A linear
// model counts a missing value as 0 anyway.
void refuse_preparation(const SavedModel& saved, std::string_view format) {
  const Transform& transform = saved.normalization;
  const bool counts_as_zero =
      transform.imputation == Imputation::zero && transform.indicators.empty() &&
      std::visit(Overloaded{[](const Linear&) { return true; }, [](const Forest&) { return false; },
                            [](const Mlp&) { return false; }, [](const Blend&) { return false; }},
                 saved.model);
  if (transform.imputation != Imputation::none && !counts_as_zero)
    refuse_export(
        format,
        fmt::format("the model replaces missing values (‹impute {}›{}), which no format supports; "
                    "replace them in the data before training and before scoring, or train with "
                    "‹impute none›",
                    to_text(transform.imputation),
                    transform.indicators.empty() ? "" : " with indicators"));
  if (!transform.encodings.empty())
    refuse_export(
        format,
        fmt::format("the model encodes the category '{}' (‹encode {}›), which no format supports; "
                    "encode it in the data, or leave it out by ‹ignore {}›",
                    saved.features[transform.encodings[0].feature],
                    to_text(transform.encodings[0].kind),
                    saved.features[transform.encodings[0].feature]));
}

void take_in_transform(const SavedModel& saved, PortableModel& portable, const Capabilities& can,
                       std::string_view format) {
  const Transform& transform = saved.normalization;
  if (transform.normalization != Normalization::none)
    refuse_export(
        format,
        fmt::format("the model normalises its inputs by {}, which needs all documents of the "
                    "query, and the format scores one at a time; train without ‹normalize›, or "
                    "normalise the data before training and before scoring",
                    to_text(transform.normalization)));
  if (!transform.thresholds.empty())
    portable.model = std::visit(
        [&](const auto& kind) {
          return on_features(kind, indicators(transform), saved.features.size(), format);
        },
        portable.model);
  else if (transform.log1p)
    std::visit(Overloaded{[&](Forest& forest) { move_thresholds(forest, format); },
                          [&](const Linear&) { keep_logarithms(portable, can, format); },
                          [&](const Mlp&) { keep_logarithms(portable, can, format); },
                          [](const Blend&) {}},
               portable.model);
}

const std::string& first_category(const SavedModel& saved) {
  return saved.features[saved.schema.categories().front().feature];
}

void refuse_bins_beside_categories(const SavedModel& saved, std::string_view format) {
  if (!saved.schema.all_numbers() && !saved.normalization.thresholds.empty())
    refuse_export(format, fmt::format("it has binned features (‹bins›) next to the category '{}'",
                                      first_category(saved)));
}

// Which formats support categories of such a model: fewer where a sum stays a sum.
std::string carriers_of_categories(const Model& model) {
  return members_of(model).empty() ? carriers(&Capabilities::categories) + " support"
                                   : carriers_of_blends(&Capabilities::categories) + " support";
}

// The first category that a split uses.
std::optional<std::string> used_category(const Model& model,
                                         const std::vector<std::string>& features) {
  std::optional<std::string> found;
  const auto search = [&](const Forest& forest) {
    std::optional<std::uint32_t> first;
    for (const Tree& tree : forest.trees)
      for (std::size_t n = 0; n < tree.categories.size(); ++n)
        if (tree.tests_category(n))
          first = std::min(first.value_or(tree.nodes[n].feature), tree.nodes[n].feature);
    if (first) found = features[*first];
  };
  std::visit(Overloaded{search, [](const Linear&) {}, [](const Mlp&) {},
                        [&](const Blend& blend) {
                          for (const BlendMember& member : blend.members)
                            if (!found)
                              found = used_category(member.saved.model, member.saved.features);
                        }},
             model);
  return found;
}

// Without a split of a category all features are numbers to the consumer.
bool is_without_categories(const SavedModel& saved, const PortableModel& portable,
                           const Capabilities& can, ExportedModel& exported) {
  const std::optional<std::string> used = used_category(portable.model, portable.features);
  if (!used && !can.categories)
    exported.notes.push_back(
        fmt::format("'{}' is a category that no split uses: any number can stand for its values",
                    first_category(saved)));
  if (used && !can.categories)
    refuse_export(exported.format,
                  fmt::format("its feature '{}' is a category; {} categories{}", *used,
                              carriers_of_categories(portable.model),
                              members_of(portable.model).empty() ? "" : " in such a blend"));
  return !can.categories;
}

// `portable`: after transforms were merged, and members added up.
void take_in_categories(const SavedModel& saved, PortableModel& portable, const Capabilities& can,
                        ExportedModel& exported) {
  if (saved.schema.all_numbers()) return;
  const std::string& name = first_category(saved);
  if (is_without_categories(saved, portable, can, exported)) {
    portable.schema = {};
    return;
  }
  portable.schema = saved.schema;
  portable.categories = ExportedCategories(saved.schema, saved.features.size());
  const auto renumber = [&](Model& model) {
    std::visit(Overloaded{[&](Forest& forest) { portable.categories.renumber(forest); },
                          [](const Linear&) {}, [](const Mlp&) {}, [](const Blend&) {}},
               model);
  };
  std::visit(Overloaded{[](const Forest&) {}, [](const Linear&) {}, [](const Mlp&) {},
                        [&](Blend& blend) {
                          for (BlendMember& member : blend.members) renumber(member.saved.model);
                        }},
             portable.model);
  renumber(portable.model);
  if (portable.categories.numbers == ExportedCategories::Numbers::codes)
    exported.notes.push_back(fmt::format(
        "categories are written as codes: those of '{}' are 0 for '{}' to {} for '{}', in the "
        "order of the model's list of values",
        name, saved.schema.categories()[0].values[0],
        saved.schema.categories()[0].values.size() - 1,
        saved.schema.categories()[0].values[saved.schema.categories()[0].values.size() - 1]));
}

// Base, missing values, outputs and depth, as far as the format supports them.
void fit_kind(Forest& forest, const Capabilities& can, const ExportOptions& options,
              ExportedModel& exported) {
  exported.missing = options.missing;
  if (!can.outputs && forest.link.kind != Link::Kind::identity)
    refuse_export(exported.format,
                  fmt::format("the model has {} outputs, of which a {} link makes the "
                              "score, and the format has one; {} support it",
                              forest.base.size(), to_text(forest.link.kind),
                              carriers(&Capabilities::outputs)));
  if (!can.offset && forest.offset_feature)
    refuse_export(
        exported.format,
        fmt::format(
            "the model adds a feature to its score, and the format has trees only; {} support it",
            carriers(&Capabilities::offset)));
  fit_missing(forest, can, options, exported);
  for (const Tree& tree : forest.trees)
    if (can.nested && depth(tree) > kDeepest)
      refuse_export(exported.format, fmt::format("a tree is deeper than {} splits", kDeepest));
  if (can.bias || (forest.base[0] == 0 && !forest.trees.empty())) return;
  Tree constant;
  constant.values = {forest.base[0]};
  constant.leaf_documents = {0};
  forest.trees.insert(forest.trees.begin(), std::move(constant));
  forest.base[0] = 0;
}

void fit_kind(Linear& linear, const Capabilities& can, const ExportOptions&,
              ExportedModel& exported) {  // where a missing value is 0 anyway
  if (can.bias || linear.bias == 0) return;
  exported.notes.push_back(
      fmt::format("the format has no bias: scores lack the constant {}", linear.bias));
  exported.shift -= linear.bias;
  linear.bias = 0;
}
void fit_kind(Mlp&, const Capabilities& can, const ExportOptions& options,
              ExportedModel& exported) {
  if (!can.missing) exported.missing = options.missing;
  if (!can.missing)
    exported.notes.emplace_back(
        "the format has no missing values: an absent feature counts as 0 there, not as the mean");
}
void fit_kind(Blend& blend, const Capabilities& can, const ExportOptions& options,
              ExportedModel& exported) {
  for (BlendMember& member : blend.members)
    std::visit([&](auto& kind) { fit_kind(kind, can, options, exported); }, member.saved.model);
}

}  // namespace

PortableModel on_raw_features(const SavedModel& saved, const Capabilities& can,
                              std::string_view format) {
  PortableModel portable{saved.learner, saved.features, saved.model, PortableModel::Inputs::plain,
                         saved.schema};
  refuse_preparation(saved, format);
  refuse_bins_beside_categories(saved, format);
  take_in_transform(saved, portable, can, format);
  std::vector<MemberSum> members;
  for (const BlendMember& member : members_of(saved.model))
    members.push_back({member.factor(), on_raw_features(member.saved, can, format)});
  return members.empty() ? portable : added_up(std::move(portable), members);
}

SavedModel as_saved(const PortableModel& portable) {
  SavedModel saved;
  saved.learner = portable.learner;
  saved.features = portable.features;
  saved.schema = portable.schema;
  saved.normalization.log1p = portable.inputs == PortableModel::Inputs::log1p;
  saved.model = portable.model;
  return saved;
}

PortableModel make_portable(const SavedModel& saved, const Capabilities& can,
                            const ExportOptions& options, ExportedModel& exported) {
  if (saved.features.empty()) refuse_export(exported.format, "the model has no features");
  PortableModel portable = on_raw_features(saved, can, exported.format);
  take_in_categories(saved, portable, can, exported);
  if (saved.training.on_top_of_scores)
    exported.notes.emplace_back(
        "the model was trained on top of other scores: add them to the exported model's scores");
  if (options.scores == ExportOptions::Scores::nonnegative)
    make_nonnegative(portable.model, can, exported);
  std::visit([&](auto& kind) { fit_kind(kind, can, options, exported); }, portable.model);
  return portable;
}

std::vector<ThresholdRange> threshold_ranges(const Forest& forest) {
  std::vector<ThresholdRange> ranges(forest.features);
  for (const Tree& tree : forest.trees)
    for (const Tree::Node& node : tree.nodes) {
      ThresholdRange& range = ranges[node.feature];
      range.low = std::min(range.low, node.threshold);
      range.high = std::max(range.high, node.threshold);
    }
  return ranges;
}

}  // namespace podium

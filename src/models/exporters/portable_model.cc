#include "models/exporters/portable_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "core/overloaded.h"
#include "models/exporters/added_models.h"
#include "models/exporters/exporter.h"
#include "models/exporters/thresholds.h"
#include "models/exporters/xgboost_nodes.h"
#include "models/forest/forest.h"
#include "models/model_kinds.h"
#include "podium/error.h"

namespace podium {
namespace {

using Missing = Tree::Node::Missing;

constexpr std::size_t kDeepest = 1000;  // of trees written as nested text

[[noreturn]] void refuse(std::string_view format, const std::string& why) {
  throw Error(ErrorCode::data, fmt::format("cannot export to {}: {}", format, why));
}

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
    refuse(format, "the model adds a binned feature to its score, which no format supports");
  for (Tree& tree : forest.trees)
    for (Tree::Node& node : tree.nodes) {
      if (!(node.threshold >= 0 && node.threshold < 1))
        refuse(format, fmt::format("a tree splits an indicator of 0 or 1 at {}", node.threshold));
      const Indicator& indicator = inputs[node.feature];
      node.feature = indicator.feature;
      node.threshold = indicator.threshold;
    }
  forest.features = features;
  return forest;
}
Model on_features(const Mlp&, const std::vector<Indicator>&, std::size_t, std::string_view format) {
  refuse(format,
         "the model is a perceptron on binned features (‹bins›), which no format supports; train "
         "it without ‹bins›, or train trees or a linear model with them");
}

Model on_features(const Blend& blend, const std::vector<Indicator>&, std::size_t,
                  std::string_view) {
  return blend;  // unreachable: a blend has no transform of its own
}

void move_thresholds(Forest& forest, std::string_view format) {
  if (forest.offset_feature)
    refuse(format, "the model adds the logarithm of a feature to its score");
  for (Tree& tree : forest.trees)
    for (Tree::Node& node : tree.nodes) {
      node.threshold = undo_log1p(node.threshold);
      if (!std::isfinite(node.threshold))
        refuse(format, "a tree splits a logarithm below all values");
    }
}

void keep_logarithms(PortableModel& portable, const Capabilities& can, std::string_view format) {
  if (!can.log1p)
    refuse(format,
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
    refuse(
        format,
        fmt::format("the model replaces missing values (‹impute {}›{}), which no format supports; "
                    "replace them in the data before training and before scoring, or train with "
                    "‹impute none›",
                    to_text(transform.imputation),
                    transform.indicators.empty() ? "" : " with indicators"));
  if (!transform.encodings.empty())
    refuse(format,
           fmt::format(
               "the model encodes the category '{}' (‹encode {}›), which no format supports; "
               "encode it in the data, or leave it out by ‹ignore {}›",
               saved.features[transform.encodings[0].feature], to_text(transform.encodings[0].kind),
               saved.features[transform.encodings[0].feature]));
}

void take_in_transform(const SavedModel& saved, PortableModel& portable, const Capabilities& can,
                       std::string_view format) {
  const Transform& transform = saved.normalization;
  if (transform.normalization != Normalization::none)
    refuse(format,
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
    refuse(format, fmt::format("it has binned features (‹bins›) next to the category '{}'",
                               first_category(saved)));
}

// Which formats support categories of such a model: fewer where a sum stays a sum.
std::string carriers_of_categories(const Model& model) {
  return members_of(model).empty() ? carriers(&Capabilities::categories) + " support"
                                   : carriers_of_blends(&Capabilities::categories) + " supports";
}

// `portable`: after transforms were merged, and members added up.
void take_in_categories(const SavedModel& saved, PortableModel& portable, const Capabilities& can,
                        ExportedModel& exported) {
  if (saved.schema.all_numbers()) return;
  const std::string& name = first_category(saved);
  if (!can.categories)
    refuse(exported.format,
           fmt::format("its feature '{}' is a category; {} categories{}", name,
                       carriers_of_categories(portable.model),
                       members_of(portable.model).empty() ? "" : " in such a blend"));
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

// The amount to add to the forest's scores so that none is negative.
double lift(const Forest& forest) {
  double low = forest.base[0], size = std::abs(low);
  for (const Tree& tree : forest.trees) {
    const auto [least, most] = std::minmax_element(tree.values.begin(), tree.values.end());
    low += *least;
    size += std::max(std::abs(*least), std::abs(*most));
  }
  // The consumer may add in single precision.
  const double rounding = static_cast<double>(forest.trees.size() + 2) * 0x1p-23 * size;
  return std::max(0.0, rounding - low);
}

void make_nonnegative(Forest& forest, const Capabilities&, ExportedModel& exported) {
  if (forest.offset_feature)
    refuse(exported.format,
           "‹nonnegative›: the model adds a feature to its score, which has no lower bound");
  if (forest.link.kind != Link::Kind::identity) {
    if (forest.link.values[0] < 0)
      refuse(exported.format, "‹nonnegative›: the model's outputs stand for negative grades");
    return;
  }
  const double up = lift(forest);
  forest.base[0] += up;
  exported.shift += up;
}
[[noreturn]] void refuse_unbounded(const ExportedModel& exported) {
  refuse(
      exported.format,
      "‹nonnegative›: only trees, and linear models without negative weights, have a lower bound");
}
void make_nonnegative(const Linear& linear, const Capabilities& can, ExportedModel& exported) {
  const bool bounded =
      (!can.bias || linear.bias >= 0) &&
      std::all_of(linear.weights.begin(), linear.weights.end(), [](double w) { return w >= 0; });
  if (!bounded) refuse_unbounded(exported);
  exported.notes.emplace_back("scores are not negative as long as no feature is");
}
void make_nonnegative(const Mlp&, const Capabilities&, ExportedModel& exported) {
  refuse_unbounded(exported);
}

void make_nonnegative(const Blend&, const Capabilities&, ExportedModel& exported) {
  refuse_unbounded(exported);
}

std::uint64_t documents_below(const Tree& tree, std::int32_t child) {
  return child < 0 ? tree.leaf_documents[static_cast<std::size_t>(~child)]
                   : tree.nodes[static_cast<std::size_t>(child)].documents;
}

// Training sends missing values to the side with more documents if the training data had none.
bool follows_larger_side(const Tree& tree, const Tree::Node& node) {
  const auto left = documents_below(tree, node.left), right = documents_below(tree, node.right);
  return node.missing == (left >= right ? Missing::left : Missing::right);
}

Missing side_where_zero_goes(const Tree::Node& node) {
  return node.threshold >= 0 ? Missing::left : Missing::right;
}
Missing side_where_tests_fail(const Tree::Node& node) {
  return xgboost_split(node).no == node.left ? Missing::left : Missing::right;
}

std::string consumer(const ExportedModel& exported) {
  return exported.target.empty() ? "the format" : exported.target;
}

// Every node gets the side that the reader takes. A side that was not learned may change; returns
// whether one did.
template <class Side, class Refuse>
bool move_missing(Forest& forest, const ExportOptions& options, Side&& side, Refuse&& refuse_it) {
  bool differs = false;
  for (Tree& tree : forest.trees)
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
      Tree::Node& node = tree.nodes[n];
      const Missing taken = side(node);
      if (node.missing == taken || tree.tests_category(n)) continue;
      if (options.missing == ExportOptions::Missing::carry && !follows_larger_side(tree, node))
        refuse_it();
      differs = true;
      node.missing = taken;
    }
  return differs;
}

void drop_missing(Forest& forest, const ExportOptions& options, ExportedModel& exported) {
  const bool differs = move_missing(forest, options, side_where_zero_goes, [&] {
    refuse(
        exported.format,
        fmt::format("{} has no missing values and treats an absent feature as 0, but the model "
                    "learned to send missing values elsewhere; {} support that, or give "
                    "‹missing zero› to treat missing values as 0",
                    consumer(exported),
                    exported.target.empty() ? carriers(&Capabilities::missing) : "later versions"));
  });
  if (differs)
    exported.notes.push_back(fmt::format(
        "{} has no missing values: an absent feature counts as 0 there", consumer(exported)));
}

// Readers for which a missing value fails every test, as a value above all thresholds does.
void fail_missing(Forest& forest, const ExportOptions& options, ExportedModel& exported) {
  constexpr std::string_view kAbsent = "an absent feature is larger than every threshold";
  if (options.missing == ExportOptions::Missing::zero)
    for (const Tree& tree : forest.trees)
      for (const Tree::Node& node : tree.nodes)
        if (side_where_tests_fail(node) != side_where_zero_goes(node))
          refuse(exported.format,
                 fmt::format("for {} {}, which ‹missing zero› cannot change; OpenSearch supports "
                             "it from 3.8 on",
                             exported.target, kAbsent));
  const bool differs = move_missing(forest, options, side_where_tests_fail, [&] {
    refuse(exported.format,
           fmt::format("for {} {}, but the model learned to send missing values elsewhere; "
                       "OpenSearch supports that from 3.8 on",
                       exported.target, kAbsent));
  });
  if (differs) exported.notes.push_back(fmt::format("for {} {}", exported.target, kAbsent));
}

// The sides as they are, or all as for 0.
void keep_missing(Forest& forest, const ExportOptions& options, ExportedModel& exported) {
  if (options.missing == ExportOptions::Missing::zero)
    move_missing(forest, options, side_where_zero_goes, [] {});
  if (exported.format != "elasticsearch" || !exported.target.empty()) return;
  for (const Tree& tree : forest.trees)
    for (const Tree::Node& node : tree.nodes)
      if (node.missing != side_where_zero_goes(node)) {
        exported.notes.emplace_back(
            "the model sends missing values elsewhere than 0, which OpenSearch before 3.8 and the "
            "plugin for Elasticsearch before 9 do not follow: give ‹target› to check");
        return;
      }
}

void fit_missing(Forest& forest, const Capabilities& can, const ExportOptions& options,
                 ExportedModel& exported) {
  if (!can.missing) return drop_missing(forest, options, exported);
  if (can.missing_fails) return fail_missing(forest, options, exported);
  keep_missing(forest, options, exported);
}

// Base, missing values, outputs and depth, as far as the format supports them.
void fit_kind(Forest& forest, const Capabilities& can, const ExportOptions& options,
              ExportedModel& exported) {
  exported.missing = options.missing;
  if (!can.outputs && forest.link.kind != Link::Kind::identity)
    refuse(exported.format, fmt::format("the model has {} outputs, of which a {} link makes the "
                                        "score, and the format has one; {} support it",
                                        forest.base.size(), to_text(forest.link.kind),
                                        carriers(&Capabilities::outputs)));
  if (!can.offset && forest.offset_feature)
    refuse(
        exported.format,
        fmt::format(
            "the model adds a feature to its score, and the format has trees only; {} support it",
            carriers(&Capabilities::offset)));
  fit_missing(forest, can, options, exported);
  for (const Tree& tree : forest.trees)
    if (can.nested && depth(tree) > kDeepest)
      refuse(exported.format, fmt::format("a tree is deeper than {} splits", kDeepest));
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
  if (saved.features.empty()) refuse(exported.format, "the model has no features");
  PortableModel portable = on_raw_features(saved, can, exported.format);
  take_in_categories(saved, portable, can, exported);
  if (saved.training.on_top_of_scores)
    exported.notes.emplace_back(
        "the model was trained on top of other scores: add them to the exported model's scores");
  if (options.scores == ExportOptions::Scores::nonnegative)
    std::visit([&](auto& kind) { make_nonnegative(kind, can, exported); }, portable.model);
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

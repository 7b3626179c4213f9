// XGBoost's model file, which Booster.load_model reads, in JSON and in UBJSON: a gbtree booster
// with the objective rank:ndcg, whose predictions are the sum of base_score and leaves. All numbers
// are single precision. sum_hessian, XGBoost's cover, is the count of training documents, so that
// pred_contribs and shap explain the model as Podium does; where there are no counts, a node's
// cover is half its parent's.
//
// Names of features are left out where they are 1, 2, …: XGBoost refuses data without names for a
// model that has them.
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "models/exporters/exporter.h"
#include "models/exporters/number_text.h"
#include "models/exporters/structure_writer.h"
#include "models/exporters/xgboost_nodes.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr std::int32_t kNoNode = -1, kNoParent = std::numeric_limits<std::int32_t>::max();

// Training documents below each split; empty if some split has none.
std::vector<double> split_covers(const Tree& tree) {
  std::vector<double> below(tree.nodes.size());
  const auto cover = [&](std::int32_t child) {
    return child < 0 ? static_cast<double>(tree.leaf_documents[static_cast<std::size_t>(~child)])
                     : below[static_cast<std::size_t>(child)];
  };
  for (std::size_t n = tree.nodes.size(); n-- > 0;) {
    below[n] = cover(tree.nodes[n].left) + cover(tree.nodes[n].right);
    if (below[n] == 0) return {};
  }
  return below;
}

// The columns of XGBoost's tree, one entry per node.
class XgboostColumns {
 public:
  XgboostColumns(const Tree& tree, std::string_view format)
      : tree_(tree), format_(format), ids_(tree), covers_(split_covers(tree)) {
    const std::size_t nodes = tree.nodes.size() + tree.values.size();
    for (auto* column : {&left_, &right_, &parent_, &feature_}) column->resize(nodes);
    for (auto* column : {&condition_, &gain_, &cover_, &mean_}) column->resize(nodes);
    default_left_.resize(nodes);
    is_category_.resize(nodes);
    if (tree.nodes.empty()) {
      put_leaf(~0, kNoParent, 1);
      return;
    }
    parent_[0] = kNoParent;
    cover_[0] = covers_.empty() ? 1.0F : static_cast<float>(covers_[0]);
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) put_split(static_cast<std::int32_t>(n));
    for (std::size_t n = tree.nodes.size(); n-- > 0;) put_mean(static_cast<std::int32_t>(n));
  }

  void write(StructureWriter& out, std::size_t id, std::size_t features) const {
    out.begin_object();
    out.key("base_weights"), out.reals(mean_);
    write_categories(out);
    out.key("default_left"), out.bytes(default_left_);
    out.key("id"), out.whole(static_cast<std::int64_t>(id));
    out.key("left_children"), out.wholes(left_);
    out.key("loss_changes"), out.reals(gain_);
    out.key("parents"), out.wholes(parent_);
    out.key("right_children"), out.wholes(right_);
    out.key("split_conditions"), out.reals(condition_);
    out.key("split_indices"), out.wholes(feature_);
    out.key("split_type"), out.bytes(is_category_);
    out.key("sum_hessian"), out.reals(cover_);
    out.key("tree_param"), out.begin_object();
    out.key("num_deleted"), out.text("0");
    out.key("num_feature"), out.text(std::to_string(features));
    out.key("num_nodes"), out.text(std::to_string(left_.size()));
    out.key("size_leaf_vector"), out.text("1");
    out.end_object();
    out.end_object();
  }

 private:
  // The sets of the nodes that test a category, one after the other, by XGBoost's number of a node.
  void write_categories(StructureWriter& out) const {
    std::map<std::int32_t, std::size_t> nodes;
    for (std::size_t n = 0; n < tree_.categories.size(); ++n)
      if (tree_.tests_category(n))
        nodes[static_cast<std::int32_t>(ids_.of(static_cast<std::int32_t>(n)))] = n;
    std::vector<std::int32_t> all, ids;
    std::vector<std::int64_t> begins, sizes;
    for (const auto& [id, n] : nodes) {
      ids.push_back(id);
      begins.push_back(static_cast<std::int64_t>(all.size()));
      sizes.push_back(static_cast<std::int64_t>(tree_.categories[n].size()));
      all.insert(all.end(), tree_.categories[n].begin(), tree_.categories[n].end());
    }
    out.key("categories"), out.wholes(all);
    out.key("categories_nodes"), out.wholes(ids);
    out.key("categories_segments"), out.long_wholes(begins);
    out.key("categories_sizes"), out.long_wholes(sizes);
  }

  void put_split(std::int32_t at) {
    const Tree::Node& node = tree_.nodes[static_cast<std::size_t>(at)];
    const XgboostSplit split = xgboost_split(tree_, static_cast<std::size_t>(at));
    const std::size_t id = ids_.of(at);
    left_[id] = static_cast<std::int32_t>(ids_.of(split.yes));
    right_[id] = static_cast<std::int32_t>(ids_.of(split.no));
    feature_[id] = static_cast<std::int32_t>(node.feature);
    condition_[id] = split.condition;
    is_category_[id] = tree_.tests_category(static_cast<std::size_t>(at)) ? 1 : 0;
    default_left_[id] = split.missing == split.yes ? 1 : 0;
    gain_[id] = static_cast<float>(
        std::min(node.gain, static_cast<double>(std::numeric_limits<float>::max())));
    for (const std::int32_t child : {split.yes, split.no}) {
      const std::size_t place = ids_.of(child);
      if (child < 0)
        put_leaf(child, static_cast<std::int32_t>(id), cover_[id] / 2);
      else
        cover_[place] = covers_.empty()
                            ? cover_[id] / 2
                            : static_cast<float>(covers_[static_cast<std::size_t>(child)]);
      parent_[place] = static_cast<std::int32_t>(id);
    }
  }

  void put_leaf(std::int32_t at, std::int32_t parent, float cover) {
    const auto leaf = static_cast<std::size_t>(~at);
    const std::size_t id = ids_.of(at);
    const auto value = static_cast<float>(tree_.values[leaf]);
    if (!std::isfinite(value))
      throw Error(ErrorCode::data,
                  fmt::format("cannot export to {}: the leaf value {} is beyond single precision",
                              format_, tree_.values[leaf]));
    left_[id] = right_[id] = kNoNode;
    parent_[id] = parent;
    condition_[id] = mean_[id] = value;
    cover_[id] = covers_.empty() ? cover : static_cast<float>(tree_.leaf_documents[leaf]);
  }

  void put_mean(std::int32_t at) {  // after those of the children
    const std::size_t id = ids_.of(at);
    const auto left = static_cast<std::size_t>(left_[id]),
               right = static_cast<std::size_t>(right_[id]);
    const double weight = static_cast<double>(cover_[left]) + static_cast<double>(cover_[right]);
    mean_[id] = static_cast<float>((static_cast<double>(mean_[left]) * cover_[left] +
                                    static_cast<double>(mean_[right]) * cover_[right]) /
                                   weight);
  }

  const Tree& tree_;
  std::string_view format_;
  XgboostNodeIds ids_;
  std::vector<double> covers_;
  std::vector<std::int32_t> left_, right_, parent_, feature_;
  std::vector<float> condition_, gain_, cover_, mean_;
  std::vector<std::uint8_t> default_left_, is_category_;
};

void write_texts(StructureWriter& out, const std::vector<std::string>& texts) {
  out.begin_array(texts.size());
  for (const std::string& text : texts) out.text(text);
  out.end_array();
}

// Without a type in UBJSON, which XGBoost requires of these.
void write_plain_wholes(StructureWriter& out, const std::vector<std::int64_t>& values) {
  out.begin_array(values.size());
  for (const std::int64_t value : values) out.whole(value);
  out.end_array();
}

bool are_counted_from_one(const std::vector<std::string>& names) {
  for (std::size_t f = 0; f < names.size(); ++f)
    if (names[f] != std::to_string(f + 1)) return false;
  return true;
}

void write_booster(StructureWriter& out, const ExportTask& task, const Forest& forest) {
  const std::size_t trees = forest.trees.size();
  std::vector<std::int64_t> rounds;
  for (std::size_t t = 0; t <= trees; ++t) rounds.push_back(static_cast<std::int64_t>(t));
  out.begin_object();
  out.key("model"), out.begin_object();
  out.key("gbtree_model_param"), out.begin_object();
  out.key("num_parallel_tree"), out.text("1");
  out.key("num_trees"), out.text(std::to_string(trees));
  out.end_object();
  out.key("iteration_indptr"), write_plain_wholes(out, rounds);
  out.key("tree_info"), write_plain_wholes(out, std::vector<std::int64_t>(trees));
  out.key("trees"), out.begin_array(trees);
  for (std::size_t t = 0; t < trees; ++t)
    XgboostColumns(forest.trees[t], task.exported.format).write(out, t, forest.features);
  out.end_array();
  out.end_object();
  out.key("name"), out.text("gbtree");
  out.end_object();
}

// The parameters of training say nothing about predictions; before 2.0 they had another name.
void write_objective(StructureWriter& out) {
  out.begin_object();
  out.key("lambda_rank_param"), out.begin_object();
  out.key("fix_list_weight"), out.text("0");
  out.key("num_pairsample"), out.text("1");
  out.end_object();
  out.key("lambdarank_param"), out.begin_object();
  out.key("lambdarank_pair_method"), out.text("topk");
  out.end_object();
  out.key("name"), out.text("rank:ndcg");
  out.end_object();
}

// "c" is XGBoost's name of a category.
std::vector<std::string> feature_types(const ExportTask& task, bool are_numbers) {
  if (are_numbers && task.model.categories.empty()) return {};
  std::vector<std::string> types(task.features().size(), "float");
  for (std::size_t f = 0; f < types.size(); ++f)
    if (task.model.categories.is_category(f)) types[f] = "c";
  return types;
}

std::string xgboost_file(const ExportTask& task, const Forest& forest,
                         std::unique_ptr<StructureWriter> writer) {
  StructureWriter& out = *writer;
  const bool are_numbers = are_counted_from_one(task.features());
  out.begin_object();
  out.key("learner"), out.begin_object();
  out.key("attributes"), out.begin_object(), out.end_object();
  out.key("feature_names");
  write_texts(out, are_numbers ? std::vector<std::string>() : task.features());
  out.key("feature_types");
  write_texts(out, feature_types(task, are_numbers));
  out.key("gradient_booster");
  write_booster(out, task, forest);
  out.key("learner_model_param"), out.begin_object();
  out.key("base_score"), out.text(real_text(static_cast<float>(forest.base[0])));
  out.key("boost_from_average"), out.text("1");
  out.key("num_class"), out.text("0");
  out.key("num_feature"), out.text(std::to_string(forest.features));
  out.key("num_target"), out.text("1");
  out.end_object();
  out.key("objective");
  write_objective(out);
  out.end_object();
  out.key("version"), write_plain_wholes(out, {2, 0, 0});
  out.end_object();
  return out.take();
}

}  // namespace

std::string xgboost_json(const ExportTask& task, const Forest& forest) {
  return xgboost_file(task, forest, make_json_writer());
}

std::string xgboost_ubjson(const ExportTask& task, const Forest& forest) {
  return xgboost_file(task, forest, make_ubjson_writer());
}

}  // namespace podium

#include "models/importers/lightgbm_file.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "models/importers/text_lines.h"
#include "podium/feature_schema.h"

namespace podium {
namespace {

// `key=value` lines, with their line numbers.
class Block {
 public:
  explicit Block(TextLines& lines) : lines_(lines) {}

  void add(std::string_view line) {
    const std::size_t equals = line.find('=');
    const std::string_view key = line.substr(0, equals);
    const std::string_view value =
        equals == std::string_view::npos ? std::string_view() : line.substr(equals + 1);
    if (!values_.emplace(key, Value{value, lines_.number()}).second)
      lines_.fail(fmt::format("'{}' appears twice", TextLines::shown(key)));
  }

  void clear() { values_.clear(); }
  bool has(std::string_view key) const { return values_.contains(key); }
  std::string_view text(std::string_view key) const { return at(key).text; }
  template <class T>
  T whole(std::string_view key) const {
    return lines_.whole<T>(trimmed(text(key)), at(key).line);
  }
  std::vector<double> reals(std::string_view key) const {
    std::vector<double> out;
    for (const std::string_view word : words(text(key)))
      out.push_back(lines_.real(word, at(key).line));
    return out;
  }
  template <class T>
  std::vector<T> wholes(std::string_view key) const {
    std::vector<T> out;
    for (const std::string_view word : words(text(key)))
      out.push_back(lines_.whole<T>(word, at(key).line));
    return out;
  }

 private:
  struct Value {
    std::string_view text;
    std::size_t line;
  };
  const Value& at(std::string_view key) const {
    const auto found = values_.find(key);
    if (found == values_.end()) lines_.fail(fmt::format("'{}=' is missing above this line", key));
    return found->second;
  }
  TextLines& lines_;
  std::map<std::string_view, Value> values_;
};

// Each leaf, and each node except the root, must be the child of exactly one node and reachable
// from the root.
void check_shape(const LightGbmTree& tree, const TextLines& lines) {
  const std::size_t nodes = tree.left_child.size();
  std::vector<bool> node_used(nodes), leaf_used(nodes + 1);
  std::size_t reached = 0;
  std::vector<std::size_t> open;
  if (nodes > 0) {
    open.push_back(0);
    node_used[0] = true;
  }
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    ++reached;
    for (const std::int32_t child : {tree.left_child[at], tree.right_child[at]}) {
      std::vector<bool>& used = child >= 0 ? node_used : leaf_used;
      const auto index = static_cast<std::size_t>(child >= 0 ? child : ~child);
      if (index >= used.size() || used[index])
        lines.fail_at(tree.line,
                      fmt::format("the tree has a wrong child {} at node {}", child, at));
      used[index] = true;
      if (child >= 0) open.push_back(index);
    }
  }
  if (reached != nodes) lines.fail_at(tree.line, "the tree has nodes that nothing leads to");
}

// The sets of category splits; each split must have one that is not empty.
void read_sets(const Block& block, const TextLines& lines, LightGbmTree& tree) {
  const auto sets = block.whole<std::size_t>("num_cat");
  if (sets > 0) {
    tree.cat_boundaries = block.wholes<std::size_t>("cat_boundaries");
    tree.cat_threshold = block.wholes<std::uint32_t>("cat_threshold");
    const auto& ends = tree.cat_boundaries;
    if (ends.size() != sets + 1 || ends.front() != 0 || ends.back() != tree.cat_threshold.size() ||
        !std::is_sorted(ends.begin(), ends.end()))
      lines.fail_at(tree.line, "the tree has cat_boundaries that do not fit its cat_threshold");
  }
  for (std::size_t n = 0; n < tree.threshold.size(); ++n) {
    if (!tree.is_category(n)) continue;
    const double set = tree.threshold[n];
    if (!(set >= 0 && set < static_cast<double>(sets)) || set != std::floor(set))
      lines.fail_at(tree.line, fmt::format("the tree has no set of categories {}", set));
    const std::vector<std::uint32_t> words = tree.set_words(n);
    if (std::all_of(words.begin(), words.end(), [](std::uint32_t word) { return word == 0; }))
      lines.fail_at(tree.line, "the tree has a category split without categories");
    if (words.size() > kMostCategories / 32)
      lines.fail_at(tree.line, fmt::format("the tree has categories beyond {}", kMostCategories));
  }
}

LightGbmTree read_tree(const Block& block, const TextLines& lines, std::size_t line,
                       std::size_t features) {
  LightGbmTree tree;
  tree.line = line;
  const auto leaves = block.whole<std::size_t>("num_leaves");
  if (block.has("is_linear") && block.whole<int>("is_linear") != 0)
    lines.fail_at(
        line, "the tree has linear functions in its leaves, which Podium's trees do not support");
  if (block.has("shrinkage"))  // already included in the values
    for (const double rate : block.reals("shrinkage"))
      if (!std::isfinite(rate)) lines.fail_at(line, "the tree's shrinkage is not finite");
  tree.leaf_value = block.reals("leaf_value");
  if (leaves == 0 || tree.leaf_value.size() != leaves)
    lines.fail_at(
        line, fmt::format("the tree has {} values for {} leaves", tree.leaf_value.size(), leaves));
  for (const double value : tree.leaf_value)
    if (!std::isfinite(value)) lines.fail_at(line, "the tree has a value that is not finite");
  if (leaves == 1) return tree;
  tree.split_feature = block.wholes<std::uint32_t>("split_feature");
  tree.threshold = block.reals("threshold");
  tree.left_child = block.wholes<std::int32_t>("left_child");
  tree.right_child = block.wholes<std::int32_t>("right_child");
  if (block.has("decision_type"))
    tree.decision_type = block.wholes<int>("decision_type");
  else
    tree.decision_type.assign(leaves - 1, 0);
  if (block.has("split_gain")) tree.split_gain = block.reals("split_gain");
  if (block.has("leaf_count")) tree.leaf_count = block.wholes<std::uint64_t>("leaf_count");
  if (block.has("internal_count"))
    tree.internal_count = block.wholes<std::uint64_t>("internal_count");
  for (const std::size_t size :
       {tree.split_feature.size(), tree.threshold.size(), tree.left_child.size(),
        tree.right_child.size(), tree.decision_type.size()})
    if (size != leaves - 1)
      lines.fail_at(line, fmt::format("the tree has {} leaves but {} splits", leaves, size));
  if (tree.split_gain.size() != leaves - 1) tree.split_gain.clear();
  if (tree.leaf_count.size() != leaves) tree.leaf_count.clear();
  if (tree.internal_count.size() != leaves - 1) tree.internal_count.clear();
  for (std::size_t n = 0; n + 1 < leaves; ++n) {
    if (tree.split_feature[n] >= features)
      lines.fail_at(line, fmt::format("the tree splits by feature {} of {}", tree.split_feature[n],
                                      features));
    if (tree.decision_type[n] < 0 || ((tree.decision_type[n] >> 2) & 3) == 3)
      lines.fail_at(
          line, fmt::format("the tree has the unknown decision_type {}", tree.decision_type[n]));
  }
  read_sets(block, lines, tree);
  check_shape(tree, lines);
  return tree;
}

// feature_infos has "3:7:12" for a category, "[0:1]" or "none" for other features.
void read_categories(std::string_view infos, const TextLines& lines, LightGbmFile& out) {
  const auto words_of = words(infos);
  if (words_of.size() != out.feature_names.size()) return;
  out.categories.resize(out.feature_names.size());
  for (std::size_t f = 0; f < words_of.size(); ++f) {
    std::string_view rest = words_of[f];
    if (rest.empty() || rest == "none" || rest.front() == '[') continue;
    while (!rest.empty()) {
      const std::size_t colon = std::min(rest.find(':'), rest.size());
      const std::string_view number = rest.substr(0, colon);
      if (!number.starts_with('-'))  // stands for missing values
        out.categories[f].push_back(lines.whole<std::uint32_t>(number, 0));
      rest.remove_prefix(std::min(colon + 1, rest.size()));
    }
  }
}

void read_header(const Block& header, const TextLines& lines, LightGbmFile& out) {
  if (header.whole<int>("num_class") != 1 ||
      (header.has("num_tree_per_iteration") && header.whole<int>("num_tree_per_iteration") != 1))
    lines.fail_at(0, "the model has several classes; Podium imports models with one score");
  const auto last = header.whole<std::uint32_t>("max_feature_idx");
  for (const std::string_view name : words(header.text("feature_names")))
    out.feature_names.emplace_back(name);
  if (out.feature_names.size() != std::size_t{last} + 1)
    lines.fail_at(0, fmt::format("there are {} feature names for {} features",
                                 out.feature_names.size(), std::size_t{last} + 1));
  if (header.has("feature_infos")) read_categories(header.text("feature_infos"), lines, out);
  if (header.has("objective")) out.objective = std::string(trimmed(header.text("objective")));
  if (header.has("average_output")) out.output = LightGbmFile::Output::average;
}

}  // namespace

LightGbmFile parse_lightgbm(std::string_view content, const std::string& file) {
  TextLines lines(content, file);
  std::string_view line;
  if (!lines.next(line) || trimmed(line) != "tree")
    lines.fail_at(1, "not a LightGBM text model: the first line is not 'tree'");
  LightGbmFile out;
  Block block(lines);
  std::size_t tree_line = 0;  // 0: in the header
  bool ended = false;
  const auto finish = [&] {
    if (tree_line == 0)
      read_header(block, lines, out);
    else
      out.trees.push_back(read_tree(block, lines, tree_line, out.feature_names.size()));
    block.clear();
  };
  while (!ended && lines.next(line)) {
    ended = trimmed(line) == "end of trees";
    if (ended || line.starts_with("Tree=")) {
      finish();
      tree_line = lines.number();
    } else if (!trimmed(line).empty()) {
      block.add(trimmed(line));
    }
  }
  if (!ended) lines.fail("the file stops before 'end of trees'");
  constexpr std::string_view kPandas = "pandas_categorical:";
  while (lines.next(line))
    if (line.starts_with(kPandas)) out.pandas_categorical = trimmed(line.substr(kPandas.size()));
  return out;
}

}  // namespace podium

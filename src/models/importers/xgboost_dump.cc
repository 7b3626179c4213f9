#include "models/importers/xgboost_dump.h"

#include <fmt/format.h>

namespace podium {
namespace {

constexpr std::size_t kDeepestDump = 1000;

class DumpReader {
 public:
  DumpReader(MissingRule rule, FeatureNames& names) : rule_(rule), names_(names) {}

  ImportedTree read(const JsonPart& root) {
    tree_.clear();
    append(root, 0);
    return std::move(tree_);
  }

 private:
  std::size_t append(const JsonPart& node, std::size_t depth) {
    if (depth > kDeepestDump) node.fail(fmt::format("is deeper than {} splits", kDeepestDump));
    const std::size_t place = tree_.size();
    tree_.emplace_back();
    ImportedNode read = node.has("leaf") ? leaf(node) : split(node, depth);
    if (node.has("cover")) read.weight = node.at("cover").number();
    tree_[place] = read;
    return place;
  }

  static ImportedNode leaf(const JsonPart& node) {
    if (node.at("leaf").is_array())
      node.at("leaf").fail("is an array: the trees have several outputs, and Podium's have one");
    ImportedNode read;
    read.value = static_cast<double>(static_cast<float>(node.at("leaf").number()));
    return read;
  }

  ImportedNode split(const JsonPart& node, std::size_t depth) {
    const JsonPart condition = node.at("split_condition");
    if (condition.is_array())
      condition.fail("is a set of categories, which Podium's trees do not support");
    const std::int64_t yes = node.at("yes").whole(), no = node.at("no").whole();
    const std::vector<JsonPart> children = node.at("children").items();
    if (children.size() != 2) node.at("children").fail("are not two");
    const bool in_order = children[0].at("nodeid").whole() == yes;
    if (children[in_order ? 0 : 1].at("nodeid").whole() != yes ||
        children[in_order ? 1 : 0].at("nodeid").whole() != no || yes == no)
      node.at("children").fail("are not the split's yes and no");
    const double limit = static_cast<double>(static_cast<float>(condition.number()));
    const ImportedSplit::Missing missing = missing_side(node, limit, yes, no);
    const std::int64_t feature = names_.number(node.at("split").text());
    const std::size_t at_yes = append(children[in_order ? 0 : 1], depth + 1);
    const std::size_t at_no = append(children[in_order ? 1 : 0], depth + 1);
    ImportedNode read = to_node(
        {feature, ImportedSplit::Test::below, limit, at_yes, at_no, missing}, {node.file()});
    if (node.has("gain")) read.gain = node.at("gain").number();
    return read;
  }

  ImportedSplit::Missing missing_side(const JsonPart& node, double limit, std::int64_t yes,
                                      std::int64_t no) const {
    if (rule_ == MissingRule::zero) return side_of_zero(ImportedSplit::Test::below, limit);
    if (rule_ == MissingRule::no || !node.has("missing")) return ImportedSplit::Missing::no;
    const std::int64_t missing = node.at("missing").whole();
    if (missing != yes && missing != no) node.at("missing").fail("is neither yes nor no");
    return missing == yes ? ImportedSplit::Missing::yes : ImportedSplit::Missing::no;
  }

  MissingRule rule_;
  FeatureNames& names_;
  ImportedTree tree_;
};

}  // namespace

FeatureNames::FeatureNames(const std::vector<std::string>& names) : names_(names) {
  for (std::size_t f = 0; f < names.size(); ++f)
    numbers_.emplace(names[f], static_cast<std::int64_t>(f));
}

std::int64_t FeatureNames::number(const std::string& name) {
  const auto [found, is_new] = numbers_.emplace(name, static_cast<std::int64_t>(names_.size()));
  if (is_new) names_.push_back(name);
  return found->second;
}

std::vector<ImportedTree> read_dump(const JsonPart& trees, MissingRule rule, FeatureNames& names) {
  std::vector<ImportedTree> out;
  DumpReader reader(rule, names);
  for (const JsonPart& tree : trees.items()) out.push_back(reader.read(tree));
  return out;
}

}  // namespace podium

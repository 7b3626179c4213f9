// LightGBM's text model as a forest.
#include <cmath>

#include <fmt/format.h>

#include "models/importers/imported_categories.h"
#include "models/importers/importer.h"
#include "models/importers/json_part.h"
#include "models/importers/lightgbm_file.h"

namespace podium {
namespace {

using Missing = Tree::Node::Missing;

Missing missing_side(const LightGbmTree& tree, std::size_t node, const Place& place) {
  const Missing zero = side_of_zero(tree.threshold[node]);
  const Missing chosen =
      tree.decision_type[node] & LightGbmTree::kDefaultLeft ? Missing::left : Missing::right;
  switch (tree.missing(node)) {
    case LightGbmTree::Missing::none:  // LightGBM treats a NaN as 0
      return zero;
    case LightGbmTree::Missing::nan:
      return chosen;
    case LightGbmTree::Missing::zero:
      break;
  }
  if (chosen != zero)
    throw Error(ErrorCode::data,
                "the model treats 0 as missing (zero_as_missing) and sends it past its threshold, "
                "which Podium's trees cannot do",
                place);
  return chosen;
}

std::vector<std::uint32_t> numbers_of(const std::vector<std::uint32_t>& words) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t number = 0; number < 32 * words.size(); ++number)
    if (words[number / 32] >> number % 32 & 1) out.push_back(number);
  return out;
}

// Renumbers nodes, parents before children, as Podium requires.
Tree convert(const LightGbmTree& from, const std::string& file, double factor) {
  const Place place{file, from.line};
  Tree tree;
  const auto leaves = from.leaf_value.size();
  for (const double value : from.leaf_value) tree.values.push_back(value * factor);
  tree.leaf_documents =
      from.leaf_count.empty() ? std::vector<std::uint64_t>(leaves) : from.leaf_count;
  if (leaves == 1) return tree;
  std::vector<std::size_t> order = {0};  // of the file's nodes
  std::vector<std::int32_t> number(leaves - 1);
  for (std::size_t k = 0; k < order.size(); ++k)
    for (const std::int32_t child : {from.left_child[order[k]], from.right_child[order[k]]})
      if (child >= 0) {
        number[static_cast<std::size_t>(child)] = static_cast<std::int32_t>(order.size());
        order.push_back(static_cast<std::size_t>(child));
      }
  const auto moved = [&](std::int32_t child) {
    return child >= 0 ? number[static_cast<std::size_t>(child)] : child;
  };
  for (const std::size_t n : order) {
    const double gain = from.split_gain.empty() ? 0 : from.split_gain[n];
    const bool is_category = from.is_category(n);
    if (is_category) {
      tree.categories.resize(tree.nodes.size() + 1);
      tree.categories.back() = numbers_of(from.set_words(n));
    }
    tree.nodes.push_back(
        {from.split_feature[n], is_category ? 0 : float_threshold(from.threshold[n], place),
         is_category ? Missing::right : missing_side(from, n, place), moved(from.left_child[n]),
         moved(from.right_child[n]), std::isfinite(gain) ? gain : 0,
         from.internal_count.empty() ? 0 : from.internal_count[n]});
  }
  if (!tree.categories.empty()) tree.categories.resize(tree.nodes.size());
  return tree;
}

// The names of pandas categories: one list for each category, in the order of the features.
CategoryNames pandas_names(const LightGbmFile& read, const std::string& file,
                           std::vector<std::string>& notes) {
  CategoryNames names;
  if (read.pandas_categorical.empty() || read.pandas_categorical == "null") return names;
  const nlohmann::json lists = parse_import(read.pandas_categorical, file, "a LightGBM");
  if (!lists.is_array() || lists.empty()) return names;
  std::vector<std::uint32_t> features;
  for (std::uint32_t f = 0; f < read.categories.size(); ++f)
    if (!read.categories[f].empty()) features.push_back(f);
  if (features.size() != lists.size()) {
    notes.push_back(fmt::format(
        "the file names the values of {} pandas categories, but {} features have categories: "
        "their values are the numbers that LightGBM had for them",
        lists.size(), features.size()));
    return names;
  }
  for (std::size_t i = 0; i < features.size(); ++i) {
    for (const nlohmann::json& value : lists[i])
      names[features[i]].push_back(value.is_string() ? value.get<std::string>() : value.dump());
  }
  return names;
}

// LightGBM generates names Column_0, Column_1, …, which carry no more information than numbers.
bool are_columns(const std::vector<std::string>& names) {
  for (std::size_t f = 0; f < names.size(); ++f)
    if (names[f] != fmt::format("Column_{}", f)) return false;
  return true;
}

}  // namespace

ImportedModel import_lightgbm(std::string_view content, const std::string& file,
                              const ImportOptions& options) {
  const LightGbmFile read = parse_lightgbm(content, file);
  ImportedModel out;
  Forest forest;
  forest.features = read.feature_names.size();
  const double factor = read.output == LightGbmFile::Output::average && !read.trees.empty()
                            ? 1.0 / static_cast<double>(read.trees.size())
                            : 1.0;
  for (const LightGbmTree& tree : read.trees) forest.trees.push_back(convert(tree, file, factor));
  out.model.features = read.feature_names;
  if (are_columns(read.feature_names)) {
    for (std::size_t f = 0; f < read.feature_names.size(); ++f)
      out.model.features[f] = std::to_string(options.first_feature + static_cast<std::int64_t>(f));
    out.notes.push_back(
        fmt::format("Column_0 is taken as feature {}; use ‹first-feature {}› if that is wrong",
                    options.first_feature, options.first_feature == 0 ? 1 : 0));
  }
  out.model.loss = read.objective;
  out.model.missing = "split";
  out.model.model = std::move(forest);
  std::map<std::uint32_t, std::vector<std::uint32_t>> known;
  for (std::uint32_t f = 0; f < read.categories.size(); ++f)
    if (!read.categories[f].empty()) known[f] = read.categories[f];
  name_categories(out.model, pandas_names(read, file, out.notes), std::move(known), file);
  return out;
}

}  // namespace podium

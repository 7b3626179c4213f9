#include "models/importers/imported_categories.h"

#include <algorithm>

#include <fmt/format.h>

#include "models/model_kinds.h"
#include "podium/error.h"

namespace podium {
namespace {

// The codes of a feature's numbers.
struct CodeTable {
  std::vector<std::string> values;  // by code
  std::map<std::uint32_t, std::uint32_t> code;
};

CodeTable code_table(const std::vector<std::uint32_t>& numbers,
                     const std::vector<std::string>* names, const std::string& feature,
                     const std::string& file) {
  CodeTable table;
  std::vector<std::pair<std::string, std::uint32_t>> named;
  for (const std::uint32_t number : numbers) {
    if (names && number >= names->size())
      throw Error(ErrorCode::data,
                  fmt::format("a tree splits feature '{}' by category {}, but the file names {}",
                              feature, number, names->size()),
                  {file});
    named.emplace_back(names ? (*names)[number] : std::to_string(number), number);
  }
  std::sort(named.begin(), named.end(),
            [](const auto& a, const auto& b) { return category_precedes(a.first, b.first); });
  for (const auto& [value, number] : named) {
    if (value.empty() || (!table.values.empty() && table.values.back() == value))
      throw Error(ErrorCode::data,
                  fmt::format("feature '{}' has the category '{}' twice, or without a name",
                              feature, value),
                  {file});
    table.code[number] = static_cast<std::uint32_t>(table.values.size());
    table.values.push_back(value);
  }
  return table;
}

using Numbers = std::map<std::uint32_t, std::vector<std::uint32_t>>;  // by feature

void collect(const Forest& forest, const std::vector<std::string>& features, Numbers& numbers,
             const std::string& file) {
  std::vector<bool> compared(features.size());
  for (const Tree& tree : forest.trees)
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
      const std::uint32_t feature = tree.nodes[n].feature;
      if (!tree.tests_category(n)) {
        compared[feature] = true;
        continue;
      }
      auto& all = numbers[feature];
      all.insert(all.end(), tree.categories[n].begin(), tree.categories[n].end());
    }
  for (auto& [feature, all] : numbers) {
    if (compared[feature])
      throw Error(ErrorCode::data,
                  fmt::format("feature '{}' is a category in some splits and a number in others",
                              features[feature]),
                  {file});
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
  }
}

}  // namespace

void name_categories(SavedModel& model, const CategoryNames& names,
                     std::map<std::uint32_t, std::vector<std::uint32_t>> known,
                     const std::string& file) {
  Forest forest = require_forest(
      model.model, Error(ErrorCode::data, "only models with trees have categories", {file}));
  collect(forest, model.features, known, file);
  std::map<std::uint32_t, CodeTable> tables;
  std::vector<FeatureSchema::Category> categories;
  for (const auto& [feature, numbers] : known) {
    const auto named = names.find(feature);
    const CodeTable& table = tables[feature] = code_table(
        numbers, named == names.end() ? nullptr : &named->second, model.features[feature], file);
    categories.push_back({feature, make_strings(table.values)});
  }
  for (Tree& tree : forest.trees)
    for (std::size_t n = 0; n < tree.categories.size(); ++n) {
      for (std::uint32_t& number : tree.categories[n])
        number = tables[tree.nodes[n].feature].code.at(number);
      std::sort(tree.categories[n].begin(), tree.categories[n].end());
    }
  model.schema = FeatureSchema(std::move(categories));
  model.model = std::move(forest);
}

}  // namespace podium

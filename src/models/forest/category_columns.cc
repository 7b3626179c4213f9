#include "models/forest/category_columns.h"

#include <algorithm>
#include <map>

#include "models/forest/fast_forest_layout.h"

namespace podium {
namespace {

constexpr float kSideOfBit[] = {1, 0};
constexpr std::uint32_t kLargestTable = 1 << 16;  // codes that an index is a table of

// The place of each code, up to the last one; others have the place `codes.size()`.
std::vector<std::uint32_t> places_by_code(const std::vector<std::uint32_t>& codes) {
  if (codes.empty() || codes.back() >= kLargestTable) return {};
  std::vector<std::uint32_t> places(codes.back() + std::size_t{1},
                                    static_cast<std::uint32_t>(codes.size()));
  for (std::uint32_t i = 0; i < codes.size(); ++i) places[codes[i]] = i;
  return places;
}

}  // namespace

CategoryIndex::CategoryIndex(std::span<const Tree> trees, const BlockColumns& columns) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> used;  // by column
  for (const Tree& tree : trees) {
    for (std::size_t n = 0; n < tree.categories.size(); ++n) {
      if (!tree.tests_category(n)) continue;
      auto& codes = used[columns.of[tree.nodes[n].feature]];
      codes.insert(codes.end(), tree.categories[n].begin(), tree.categories[n].end());
    }
  }
  for (auto& [column, codes] : used) {
    std::sort(codes.begin(), codes.end());
    codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
    std::vector<std::uint32_t> index = places_by_code(codes);
    features_.push_back({column, std::move(codes), std::move(index)});
  }
}

std::size_t CategoryIndex::feature_of(std::uint32_t column) const {
  const auto at = std::lower_bound(features_.begin(), features_.end(), column,
                                   [](const Feature& f, std::uint32_t c) { return f.column < c; });
  return static_cast<std::size_t>(at - features_.begin());
}

void CategoryIndex::append_bits(std::size_t feature, const std::vector<std::uint32_t>& codes,
                                bool missing_left, std::vector<std::uint32_t>& bits) const {
  const auto& used = features_[feature].codes;
  const std::size_t first = bits.size();
  bits.resize(first + words(feature));
  const auto set = [&](std::size_t index) { bits[first + index / 32] |= 1U << index % 32; };
  auto from = used.begin();
  for (const std::uint32_t code : codes) {
    from = std::lower_bound(from, used.end(), code);
    set(static_cast<std::size_t>(from - used.begin()));
  }
  if (missing_left) set(used.size() + 1);
}

std::uint32_t CategoryIndex::Feature::index_of(std::uint32_t code) const {
  const auto other = static_cast<std::uint32_t>(codes.size());
  if (!index.empty()) return code < index.size() ? index[code] : other;
  const auto at = std::lower_bound(codes.begin(), codes.end(), code);
  return at != codes.end() && *at == code ? static_cast<std::uint32_t>(at - codes.begin()) : other;
}

void CategoryIndex::look_up(const float* block, std::size_t documents, std::uint32_t* out) const {
  for (const Feature& feature : features_) {
    const float* const values = block + feature.column * kBlock;
    const auto other = static_cast<std::uint32_t>(feature.codes.size());
    for (std::size_t d = 0; d < documents; ++d) {
      const float x = values[d];
      const auto code = code_of(x, kMostCategories);
      out[d] = code     ? feature.index_of(static_cast<std::uint32_t>(*code))
               : x != x ? other + 1
                        : other;
    }
    out += kBlock;
  }
}

void CategoryColumns::append(const Tree& tree, const CategoryIndex& index,
                             const BlockColumns& block) {
  for (std::size_t n = 0; n < tree.categories.size(); ++n) {
    if (!tree.tests_category(n)) continue;
    const Tree::Node& node = tree.nodes[n];
    const std::size_t feature = index.feature_of(block.of[node.feature]);
    columns.push_back(
        {static_cast<std::uint32_t>(feature), static_cast<std::uint32_t>(bits.size())});
    index.append_bits(feature, tree.categories[n], node.missing == Tree::Node::Missing::left, bits);
  }
}

void CategoryColumns::fill(const std::uint32_t* indices, std::size_t documents, float* out) const {
  for (const auto& [feature, first] : columns) {
    const std::uint32_t* const own = indices + feature * kBlock;
    const std::uint32_t* const set = bits.data() + first;
    for (std::size_t d = 0; d < documents; ++d)
      out[d] = kSideOfBit[set[own[d] / 32] >> own[d] % 32 & 1];
    out += kBlock;
  }
}

}  // namespace podium

#include "models/forest/device/device_trees.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "podium/error.h"

namespace podium {
namespace {

static_assert(TreesView::kEndOfCodes == static_cast<float>(kMostCategories));

constexpr std::size_t kPieceAlignment = 16;
constexpr std::size_t kFewWords = 64;  // of bits: a set may always have these

// Where the values begin.
template <class T>
std::size_t pack(std::vector<std::byte>& packed, std::span<const T> values) {
  static_assert(alignof(T) <= kPieceAlignment);
  const std::size_t at = (packed.size() + kPieceAlignment - 1) / kPieceAlignment * kPieceAlignment;
  packed.resize(at + values.size_bytes());
  if (!values.empty()) std::memcpy(packed.data() + at, values.data(), values.size_bytes());
  return at;
}

}  // namespace

std::uint32_t DeviceTrees::append_set(const std::vector<std::uint32_t>& codes) {
  const std::size_t words = codes.back() / 32 + std::size_t{1};
  const bool is_list = words > std::max(kFewWords, codes.size());
  const auto first = static_cast<std::uint32_t>(codes_.size());
  if (is_list) {
    codes_.insert(codes_.end(), codes.begin(), codes.end());
  } else {
    codes_.resize(first + words);
    for (const std::uint32_t code : codes)
      codes_[first + code / 32] |= std::uint32_t{1} << code % 32;
  }
  sets_.push_back({first, static_cast<std::uint32_t>(codes_.size() - first), is_list ? 1U : 0U});
  return static_cast<std::uint32_t>(sets_.size() - 1);
}

void DeviceTrees::append(const Tree& tree, std::span<const std::uint32_t> column_of) {
  const auto first_node = static_cast<std::int32_t>(nodes_.size());
  const auto first_value = static_cast<std::int32_t>(values_.size());
  const auto moved = [&](std::int32_t child) {
    return child >= 0 ? child + first_node : ~(~child + first_value);
  };
  roots_.push_back(moved(tree.nodes.empty() ? ~0 : 0));
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    const Tree::Node& node = tree.nodes[n];
    std::uint32_t column = column_of[node.feature];
    std::uint32_t compared = std::bit_cast<std::uint32_t>(node.threshold);
    if (node.missing == Tree::Node::Missing::right) column |= ForestNode::kMissingRight;
    if (tree.tests_category(n)) {
      column |= ForestNode::kCategory;
      compared = append_set(tree.categories[n]);
    }
    nodes_.push_back({column, compared, moved(node.left), moved(node.right)});
  }
  values_.insert(values_.end(), tree.values.begin(), tree.values.end());
}

void DeviceTrees::upload(std::span<const Tree> trees, std::span<const std::uint32_t> column_of,
                         std::span<const std::uint32_t> used, DeviceQueue& queue) {
  roots_.clear();
  nodes_.clear();
  values_.clear();
  sets_.clear();
  codes_.clear();
  packed_.clear();
  std::uint64_t leaves = 0;
  for (const Tree& tree : trees) leaves += tree.values.size();
  if (leaves > std::numeric_limits<std::int32_t>::max())
    throw Error(ErrorCode::device, "the trees have too many leaves for a GPU: use ‹device cpu›");
  for (const Tree& tree : trees) append(tree, column_of);
  const std::size_t nodes = pack<ForestNode>(packed_, nodes_);
  const std::size_t values = pack<double>(packed_, values_);
  const std::size_t roots = pack<std::int32_t>(packed_, roots_);
  const std::size_t sets = pack<CategorySet>(packed_, sets_);
  const std::size_t codes = pack<std::uint32_t>(packed_, codes_);
  const std::size_t columns = pack<std::uint32_t>(packed_, used);
  // Larger than needed, because the next tree may be a little larger.
  if (memory_.size() < packed_.size()) memory_.resize(queue, 2 * packed_.size());
  memory_.upload(packed_);
  const auto at = [this]<class T>(std::size_t place, const T*& pointer) {
    pointer = reinterpret_cast<const T*>(memory_.data() + place);
  };
  view_.trees = static_cast<std::uint32_t>(roots_.size());
  at(nodes, view_.nodes);
  at(values, view_.values);
  at(roots, view_.roots);
  at(sets, view_.sets);
  at(codes, view_.codes);
  at(columns, used_);
}

}  // namespace podium

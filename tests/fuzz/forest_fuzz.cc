// Fast kernels against the plain ones, bit for bit: the bytes are a forest and documents (dense and
// sparse, with missing and infinite values), for which the compiled forest and the walk of each
// tree must give the same scores, in every instruction set of the machine; also the products of
// linear models with the same numbers.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include <hwy/targets.h>

#include "models/forest/fast_forest.h"
#include "models/forest/fast_forest_kernels.h"
#include "models/forest/forest.h"
#include "models/linear/dense_kernels.h"

namespace {

using namespace podium;

// Numbers from the bytes, zeros after their end.
class FuzzedChoices {
 public:
  FuzzedChoices(const std::uint8_t* bytes, std::size_t size) : bytes_(bytes, size) {}

  bool empty() const { return bytes_.empty(); }
  std::uint32_t below(std::uint32_t limit) { return take<std::uint16_t>() % limit; }
  // Few values, so that some equal thresholds, and occasionally any float.
  float number() {
    static constexpr float kSpecial[] = {0.0F, -0.0F, 1.0F, -1.0F, 0.5F, 1e-45F, -1e-45F, 3.4e38F};
    const auto kind = take<std::uint8_t>();
    if (kind < 8) return kSpecial[kind];
    if (kind < 12) return std::numeric_limits<float>::infinity() * (kind % 2 ? 1.0F : -1.0F);
    return kind < 200 ? static_cast<float>(kind % 16) - 8 : take<float>();
  }
  float finite() {
    const float x = number();
    return std::isfinite(x) ? x : 2.0F;
  }
  float value() {
    const auto kind = take<std::uint8_t>();
    return kind < 32 ? std::numeric_limits<float>::quiet_NaN() : number();
  }

 private:
  template <class T>
  T take() {
    T value{};
    const std::size_t size = std::min(sizeof(T), bytes_.size());
    if (size > 0) std::memcpy(&value, bytes_.data(), size);
    bytes_ = bytes_.subspan(size);
    return value;
  }
  std::span<const std::uint8_t> bytes_;
};

// Each new node replaces a leaf that the bytes choose.
Tree some_tree(FuzzedChoices& choices, std::uint32_t features) {
  Tree tree;
  const std::uint32_t leaves = 1 + choices.below(80);
  tree.values = {choices.finite()};
  std::vector<std::int32_t*> ends;
  tree.nodes.reserve(leaves);  // keeps pointers valid
  for (std::uint32_t leaf = 1; leaf < leaves; ++leaf) {
    Tree::Node node;
    node.feature = choices.below(features);
    node.threshold = choices.finite();
    node.missing = choices.below(2) ? Tree::Node::Missing::left : Tree::Node::Missing::right;
    node.right = ~static_cast<std::int32_t>(leaf);
    if (ends.empty()) {
      node.left = ~0;
    } else {
      std::int32_t*& end = ends[choices.below(static_cast<std::uint32_t>(ends.size()))];
      node.left = *end;
      *end = static_cast<std::int32_t>(tree.nodes.size());
      end = ends.back();
      ends.pop_back();
    }
    tree.nodes.push_back(node);
    ends.push_back(&tree.nodes.back().left);
    ends.push_back(&tree.nodes.back().right);
    tree.values.push_back(choices.finite());
  }
  tree.leaf_documents.resize(tree.values.size());
  return tree;
}

DatasetParts some_documents(FuzzedChoices& choices, std::uint32_t features) {
  const std::size_t documents = 1 + choices.below(150);
  DatasetParts parts;
  parts.query_begin = std::vector<std::uint64_t>{0, documents};
  parts.qids = make_strings(std::vector<std::string>{"1"});
  parts.labels = std::vector<float>(documents);
  parts.features = features;
  std::vector<float> values(documents * features);
  for (float& x : values) {
    if (choices.empty()) break;
    x = choices.value();
  }
  parts.dense = std::move(values);
  return parts;
}

// The same documents with rows that omit values equal to `absent`.
Dataset sparse(const DatasetParts& dense, float absent) {
  std::vector<std::uint64_t> row_begin = {0};
  std::vector<std::uint32_t> columns;
  std::vector<float> values;
  const auto all = dense.dense.view();
  for (std::size_t at = 0; at < all.size();) {
    for (std::uint32_t f = 0; f < dense.features; ++f, ++at) {
      if (std::memcmp(&all[at], &absent, sizeof(float)) == 0) continue;
      columns.push_back(f);
      values.push_back(all[at]);
    }
    row_begin.push_back(values.size());
  }
  DatasetParts parts = dense;
  parts.dense = {};
  parts.row_begin = std::move(row_begin);
  parts.columns = std::move(columns);
  parts.values = std::move(values);
  parts.absent = absent;
  return Dataset(std::move(parts));
}

std::vector<double> plainly(const Forest& forest, const Dataset& data, ThreadPool& pool) {
  std::vector<double> sums(data.documents());
  const auto leaves = leaf_indices(forest, data, pool);
  const std::size_t trees = forest.trees.size();
  for (std::size_t i = 0; i < leaves.size(); ++i)
    sums[i / trees] += forest.trees[i % trees].values[leaves[i]];
  return sums;
}

// Runs `check` on each instruction set of the machine.
template <class Check>
void on_each_target(Check&& check) {
  for (std::int64_t rest = HWY_TARGETS & hwy::SupportedTargets(); rest != 0; rest &= rest - 1) {
    hwy::SetSupportedTargetsForTest(rest & -rest);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    check();
    hwy::SetSupportedTargetsForTest(0);
  }
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

void check_forest(const Forest& forest, const DatasetParts& parts) {
  static ThreadPool pool(1);
  const Dataset dense{DatasetParts(parts)};
  const std::vector<double> expected = plainly(forest, dense, pool);
  on_each_target([&] {
    const FastForest fast(forest.trees, 1, forest.features);
    for (const Dataset& data :
         {dense, sparse(parts, 0), sparse(parts, std::numeric_limits<float>::quiet_NaN())}) {
      std::vector<double> sums(data.documents());
      fast.add_to(sums, data, pool);
      if (!same_bits(sums, expected)) std::abort();
    }
  });
}

void check_products(const DatasetParts& parts) {
  std::vector<float> x(parts.dense.view().begin(), parts.dense.view().end());
  for (float& value : x)
    if (!std::isfinite(value)) value = 1;
  const std::size_t n = parts.features, rows = x.size() / n;
  std::vector<double> w(n), c(rows);
  for (std::size_t f = 0; f < n; ++f) w[f] = static_cast<double>(x[f]) / 3;
  for (std::size_t r = 0; r < rows; ++r) c[r] = static_cast<double>(x[r * n]) / 7;
  std::vector<double> expected, expected_sums;
  on_each_target([&] {
    std::vector<double> products(rows), sums(n, 0.5);
    dense_products(x.data(), rows, w.data(), products.data(), n);
    add_rows(x.data(), rows, c.data(), sums.data(), n);
    if (expected.empty()) {
      expected = products;
      expected_sums = sums;
    }
    if (!same_bits(products, expected) || !same_bits(sums, expected_sums)) std::abort();
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  FuzzedChoices choices(bytes, size);
  Forest forest;
  forest.features = 1 + choices.below(40);
  const auto features = static_cast<std::uint32_t>(forest.features);
  const std::uint32_t trees = 1 + choices.below(6);
  for (std::uint32_t t = 0; t < trees; ++t) forest.trees.push_back(some_tree(choices, features));
  const DatasetParts parts = some_documents(choices, features);
  check_forest(forest, parts);
  check_products(parts);
  return 0;
}

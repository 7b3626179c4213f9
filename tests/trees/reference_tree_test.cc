// The grower against a short reference implementation: no histograms, no subtraction, no sparse
// rows, every split of every leaf tried on the documents themselves.
#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "trees/grown_tree.h"
#include "trees/tree_data.h"

namespace podium::reference_tree_test {
namespace {

using testing::Bench;
using testing::GrownTree;
using testing::OneTreeGrower;
using Missing = Tree::Node::Missing;

struct Choice {
  double gain = 0;
  std::size_t column = 0;
  std::uint32_t bin = 0;
  Missing missing = Missing::left;
};

class Reference {
 public:
  Reference(const BinnedDataset& data, const QuantizedDerivatives& derivatives,
            const TreeOptions& options)
      : data_(data), derivatives_(derivatives), options_(options) {}

  // Each document's leaf, numbered as the grower numbers them.
  std::vector<std::uint32_t> grow() const {
    std::vector<std::vector<std::uint32_t>> leaves(1);
    for (std::uint32_t d = 0; d < data_.documents(); ++d) leaves[0].push_back(d);
    std::vector<Choice> choices = {best_split(leaves[0])};
    while (leaves.size() < static_cast<std::size_t>(options_.leaves)) {
      std::size_t leaf = 0;
      for (std::size_t i = 1; i < leaves.size(); ++i)
        if (choices[i].gain > choices[leaf].gain) leaf = i;
      if (choices[leaf].gain <= 0) break;
      std::vector<std::uint32_t> left, right;
      for (const std::uint32_t d : leaves[leaf])
        (goes_left(choices[leaf], d) ? left : right).push_back(d);
      choices[leaf] = best_split(left);
      choices.push_back(best_split(right));
      leaves[leaf] = std::move(left);
      leaves.push_back(std::move(right));
    }
    std::vector<std::uint32_t> leaf_of(data_.documents());
    for (std::uint32_t leaf = 0; leaf < leaves.size(); ++leaf)
      for (const std::uint32_t d : leaves[leaf]) leaf_of[d] = leaf;
    return leaf_of;
  }

 private:
  bool goes_left(const Choice& choice, std::uint32_t document) const {
    const std::uint32_t bin = data_.bin_of(choice.column, document);
    if (bin == data_.columns()[choice.column].value_bins()) return choice.missing == Missing::left;
    return bin <= choice.bin;
  }
  double score(const DerivativeSums& s) const {
    const auto g = static_cast<double>(s.first);
    return g * g / (static_cast<double>(s.second) + options_.l2 / derivatives_.second_unit());
  }
  bool allowed(const DerivativeSums& s) const {
    return s.documents >= options_.min_docs &&
           static_cast<double>(s.second) >= options_.min_curvature / derivatives_.second_unit();
  }

  Choice best_split(const std::vector<std::uint32_t>& documents) const {
    Choice best;
    for (std::size_t c = 0; c < data_.columns().size(); ++c) {
      for (std::uint32_t b = 0; b < data_.columns()[c].value_bins(); ++b) {
        // A split after an empty bin equals the one after the previous bin.
        if (std::none_of(documents.begin(), documents.end(),
                         [&](std::uint32_t d) { return data_.bin_of(c, d) == b; }))
          continue;
        for (const Missing missing : {Missing::right, Missing::left}) {
          Choice choice{0, c, b, missing};
          DerivativeSums left, right;
          for (const std::uint32_t d : documents)
            (goes_left(choice, d) ? left : right) += unpack(derivatives_.words()[d]);
          if (!allowed(left) || !allowed(right)) continue;
          choice.gain = score(left) + score(right) - score(left + right);
          if (choice.gain > best.gain * (1 + 1e-11)) best = choice;
        }
      }
    }
    return best;
  }

  const BinnedDataset& data_;
  const QuantizedDerivatives& derivatives_;
  const TreeOptions& options_;
};

RC_GTEST_PROP(TreeBuilder, EqualsTheReference, ()) {
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1000000);
  Random random(seed);
  const Dataset data = testing::mixed_data(4, 10 + random.below(60), 9, seed);
  const testing::Slopes slopes = testing::draw_slopes(data, seed);
  Bench bench;
  const BinnedDataset binned = BinnedDataset::bin(
      data, {.max_bins = 2 + static_cast<int>(random.below(14)), .sparse_from = 0.8},
      bench.context);
  const TreeOptions options{.leaves = 2 + static_cast<int>(random.below(12)),
                            .min_docs = 1 + static_cast<std::int64_t>(random.below(8)),
                            .min_curvature = random.uniform(),
                            .l2 = static_cast<double>(random.below(2))};
  QuantizedDerivatives derivatives;
  derivatives.assign(slopes.first, slopes.second, {}, binned.keys(), options.l2, seed,
                     bench.context);
  const GrownTree grown =
      OneTreeGrower(binned, options, bench.context).grow(slopes.first, slopes.second, {}, seed);
  RC_ASSERT(grown.leaf_of == Reference(binned, derivatives, options).grow());
}

}  // namespace
}  // namespace podium::reference_tree_test

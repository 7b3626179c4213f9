// Scoring with forests of several shapes, one thread: documents per second (of processor time) of
// the plain walk (one document and one node at a time) and of fast_forest, their ratio, and whether
// the scores have the same bits. The trees split a sample of the data as learners do: the leaf with
// the most documents, on a random feature, at the value of one of its documents.
#include <algorithm>
#include <bit>
#include <cstring>
#include <ctime>
#include <functional>
#include <numeric>

#include <fmt/format.h>

#include "core/random.h"
#include "models/forest/fast_forest.h"
#include "models/forest/fast_forest_kernels.h"
#include "models/forest/forest.h"
#include "podium/synthetic.h"

namespace podium {
namespace {

double seconds(const std::function<void()>& action) {
  const std::clock_t begin = std::clock();
  action();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

// Documents that reached a position in the growing tree, and the parent's pointer to it.
struct Open {
  std::vector<std::size_t> documents;
  std::size_t parent = 0;
  bool is_left = false;
};

Tree random_tree(const Dataset& data, std::size_t leaves, Random& random) {
  const std::span<const float> values = data.parts().dense.view();
  const std::size_t features = data.features();
  Tree tree;
  std::vector<Open> open(1);
  const std::size_t step = std::max<std::size_t>(1, data.documents() / (20 * leaves));
  for (std::size_t i = random.below(step); i < data.documents(); i += step)
    open[0].documents.push_back(i);
  while (open.size() < leaves) {
    const auto largest = std::max_element(
        open.begin(), open.end(),
        [](const auto& a, const auto& b) { return a.documents.size() < b.documents.size(); });
    Tree::Node node;
    node.feature = static_cast<std::uint32_t>(random.below(features));
    const auto value = [&](std::size_t i) { return values[i * features + node.feature]; };
    node.threshold = value(largest->documents[random.below(largest->documents.size())]);
    Open left, right;
    for (const std::size_t i : largest->documents)
      (value(i) <= node.threshold ? left : right).documents.push_back(i);
    if (left.documents.empty() || right.documents.empty()) continue;
    const auto at = tree.nodes.size();
    if (at > 0)
      (largest->is_left ? tree.nodes[largest->parent].left : tree.nodes[largest->parent].right) =
          static_cast<std::int32_t>(at);
    tree.nodes.push_back(node);
    left.parent = right.parent = at;
    left.is_left = true;
    *largest = std::move(left);
    open.push_back(std::move(right));
  }
  for (std::size_t leaf = 0; leaf < open.size(); ++leaf) {
    if (!tree.nodes.empty())
      (open[leaf].is_left ? tree.nodes[open[leaf].parent].left
                          : tree.nodes[open[leaf].parent].right) = ~static_cast<std::int32_t>(leaf);
    tree.values.push_back(random.uniform() - 0.5);
    tree.leaf_documents.push_back(open[leaf].documents.size());
  }
  return tree;
}

// One test per level, at the value of a random document: 2 ^ levels leaves.
Tree oblivious_tree(const Dataset& data, std::size_t levels, Random& random) {
  const std::span<const float> values = data.parts().dense.view();
  Tree tree;
  for (std::size_t level = 0; level < levels; ++level) {
    Tree::Node node;
    node.feature = static_cast<std::uint32_t>(random.below(data.features()));
    node.threshold = values[random.below(data.documents()) * data.features() + node.feature];
    const std::size_t width = std::size_t{1} << level;
    for (std::size_t i = 0; i < width; ++i) {
      const std::size_t at = tree.nodes.size();
      const std::size_t below = level + 1 < levels ? 2 * at + 1 : 2 * i;
      const auto child = [&](std::size_t c) {
        return level + 1 < levels ? static_cast<std::int32_t>(c) : ~static_cast<std::int32_t>(c);
      };
      node.left = child(below);
      node.right = child(below + 1);
      tree.nodes.push_back(node);
    }
  }
  for (std::size_t leaf = 0; leaf <= tree.nodes.size(); ++leaf) {
    tree.values.push_back(random.uniform() - 0.5);
    tree.leaf_documents.push_back(1);
  }
  return tree;
}

enum class Trees { leaf_wise, oblivious };

// Whether the bits are the same.
bool compare(const Dataset& data, Trees shape, std::size_t trees, std::size_t leaves,
             Context& context) {
  Random random(trees * 1000 + leaves);
  Forest forest;
  forest.features = data.features();
  for (std::size_t t = 0; t < trees; ++t)
    forest.trees.push_back(
        shape == Trees::oblivious
            ? oblivious_tree(data, static_cast<std::size_t>(std::bit_width(leaves)) - 1, random)
            : random_tree(data, leaves, random));
  std::vector<double> plain, fast;
  double plain_time = 1e300, fast_time = 1e300;
  for (int i = 0; i < 3; ++i) {
    plain_time =
        std::min(plain_time, seconds([&] { plain = score_plainly(forest, data, context.pool); }));
    fast_time = std::min(fast_time, seconds([&] { fast = score(forest, data, context); }));
  }
  const bool same = std::memcmp(plain.data(), fast.data(), plain.size() * sizeof(double)) == 0;
  const auto documents = static_cast<double>(data.documents());
  fmt::print("{:>5}{} trees x {:>4} leaves   plain {:>9.0f}/s   fast {:>9.0f}/s   {:5.1f} x   {}\n",
             trees, shape == Trees::oblivious ? " oblivious" : "", leaves, documents / plain_time,
             documents / fast_time, plain_time / fast_time, same ? "same bits" : "DIFFERENT");
  return same;
}

int run() {
  ThreadPool pool(1);
  const auto comm = make_local_communicator();
  Observer observer;
  Context context{1, pool, *comm, observer};
  SyntheticOptions options;
  options.preset = SyntheticPreset::mslr;
  options.queries = 100;
  const Dataset data = make_synthetic(options, context);
  fmt::print("{} documents x {} features, one thread, {}\n", data.documents(), data.features(),
             fast_forest_target());
  int failures = 0;
  for (const auto& [trees, leaves] :
       {std::pair{500, 31}, {100, 10}, {1000, 64}, {300, 255}, {100, 1000}, {1, 31}})
    failures += !compare(data, Trees::leaf_wise, static_cast<std::size_t>(trees),
                         static_cast<std::size_t>(leaves), context);
  for (const std::size_t leaves : {8U, 16U, 32U, 64U, 128U, 256U, 1024U})
    for (const Trees shape : {Trees::leaf_wise, Trees::oblivious})
      failures += !compare(data, shape, 500, leaves, context);
  return failures;
}

}  // namespace
}  // namespace podium

int main() {
  return podium::run();
}

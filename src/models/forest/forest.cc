#include "models/forest/forest.h"

#include <algorithm>
#include <cmath>

#include "models/forest/forest_scorer.h"
#include "models/linear/linear.h"
#include "models/row_values.h"

namespace podium {
namespace {

constexpr std::size_t kForestChunk = 256;  // documents
// Below this, compiling the trees for fast_forest costs more than it saves.
constexpr std::size_t kFewForestDocuments = 64;

}  // namespace

std::uint32_t find_leaf(const Tree& tree, const float* features) {
  std::int32_t at = tree.nodes.empty() ? ~0 : 0;
  while (at >= 0) {
    const auto node = static_cast<std::size_t>(at);
    at = tree.child(node, features[tree.nodes[node].feature]);
  }
  return static_cast<std::uint32_t>(~at);
}

std::size_t depth(const Tree& tree) {
  std::vector<std::size_t> level(tree.nodes.size(), 1);  // of a node's children; parents are first
  for (std::size_t n = 0; n < tree.nodes.size(); ++n)
    for (const std::int32_t child : {tree.nodes[n].left, tree.nodes[n].right})
      if (child >= 0) level[static_cast<std::size_t>(child)] = level[n] + 1;
  return level.empty() ? 0 : *std::max_element(level.begin(), level.end());
}

std::vector<std::uint32_t> leaves_in_order(const Tree& tree) {
  std::vector<std::uint32_t> leaves;
  std::vector<std::int32_t> open = {tree.nodes.empty() ? ~0 : 0};
  while (!open.empty()) {
    const std::int32_t at = open.back();
    open.pop_back();
    if (at < 0) {
      leaves.push_back(static_cast<std::uint32_t>(~at));
      continue;
    }
    const Tree::Node& node = tree.nodes[static_cast<std::size_t>(at)];
    open.push_back(node.right);
    open.push_back(node.left);
  }
  return leaves;
}

std::vector<double> first_outputs(const Forest& forest, const Dataset& data, ThreadPool& pool) {
  const std::size_t width = forest.base.size();
  std::vector<double> outputs(data.documents() * width);
  for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i] = forest.base[i % width];
  if (forest.offset_feature) {
    const std::vector<double> offset = feature_column(data, *forest.offset_feature, pool);
    for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i] += offset[i / width];
  }
  return outputs;
}

std::vector<double> score_plainly(const Forest& forest, const Dataset& data, ThreadPool& pool) {
  std::vector<double> outputs = first_outputs(forest, data, pool);
  const std::size_t width = forest.base.size();
  std::vector<double> scores(data.documents());
  parallel_for(pool, data.documents(), kForestChunk, [&](std::size_t begin, std::size_t end) {
    const Rows rows = data.rows(begin, end);
    RowValues values(rows);
    for (std::size_t i = begin; i < end; ++i) {
      const float* const x = values(i - begin);
      const std::span<double> out = std::span(outputs).subspan(i * width, width);
      for (std::size_t t = 0; t < forest.trees.size(); ++t)
        out[t % width] += forest.trees[t].values[find_leaf(forest.trees[t], x)];
      scores[i] = forest.link(out);
    }
  });
  return scores;
}

std::vector<double> score(const Forest& forest, const Dataset& data, Context& context) {
  if (data.documents() < kFewForestDocuments) return score_plainly(forest, data, context.pool);
  const std::size_t width = forest.base.size();
  const auto scorer = make_forest_scorer(data, width, ScorerUse::once, context);
  scorer->start(first_outputs(forest, data, context.pool));
  scorer->add(forest.trees);
  const auto outputs = scorer->outputs();
  if (forest.link.kind == Link::Kind::identity) return {outputs.begin(), outputs.end()};
  std::vector<double> scores(data.documents());
  parallel_for(context.pool, data.documents(), kForestChunk,
               [&](std::size_t begin, std::size_t end) {
                 for (std::size_t i = begin; i < end; ++i)
                   scores[i] = forest.link(outputs.subspan(i * width, width));
               });
  return scores;
}

std::vector<std::uint32_t> leaf_indices(const Forest& forest, const Dataset& data,
                                        ThreadPool& pool) {
  const std::size_t trees = forest.trees.size();
  std::vector<std::uint32_t> leaves(data.documents() * trees);
  parallel_for(pool, data.documents(), kForestChunk, [&](std::size_t begin, std::size_t end) {
    const Rows rows = data.rows(begin, end);
    RowValues values(rows);
    for (std::size_t i = begin; i < end; ++i) {
      const float* const x = values(i - begin);
      for (std::size_t t = 0; t < trees; ++t) leaves[i * trees + t] = find_leaf(forest.trees[t], x);
    }
  });
  return leaves;
}

}  // namespace podium

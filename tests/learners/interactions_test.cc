// Which features meet in the branches of trees.
#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "podium/error.h"
#include "podium/training.h"
#include "support/toy_data.h"

namespace podium::interactions_test {
namespace {

using Features = std::set<std::uint32_t>;

// The features of every path from the root to a leaf.
void collect(const Tree& tree, std::int32_t node, Features used, std::vector<Features>& branches) {
  if (node < 0) {
    branches.push_back(std::move(used));
    return;
  }
  const Tree::Node& split = tree.nodes[static_cast<std::size_t>(node)];
  used.insert(split.feature);
  collect(tree, split.left, used, branches);
  collect(tree, split.right, used, branches);
}

std::vector<Features> branches_of(const SavedModel& saved) {
  std::vector<Features> branches;
  const Forest& forest = std::get<Forest>(saved.model);
  for (const Tree& tree : forest.trees)
    if (!tree.nodes.empty()) collect(tree, 0, {}, branches);
  return branches;
}

SavedModel trained(const std::string& learner, Assignments options, int threads = 1) {
  testing::Bench bench(threads);
  const Dataset data = testing::noisy_linear(40, 20, 6, 1);
  TrainingSpec spec{.learner = learner, .options = std::move(options)};
  spec.options.emplace_back("trees", "20");
  spec.options.emplace_back("min-docs", "5");
  spec.measures = parse_measures("nDCG@5", spec.convention);
  return train(spec, data, nullptr, bench.context);
}

bool is_within(const Features& features, const Features& group) {
  return std::includes(group.begin(), group.end(), features.begin(), features.end());
}

TEST(Interactions, BranchesStayWithinAGroup) {
  for (const std::string learner : {"lambdamart", "directrank-trees"}) {
    const auto branches = branches_of(trained(learner, {{"interactions", "1,2,3;3,4"}}));
    bool meets = false;
    for (const Features& branch : branches) {
      const bool alone = branch.size() == 1;  // also features of no group: 5 and 6
      EXPECT_TRUE(alone || is_within(branch, {0, 1, 2}) || is_within(branch, {2, 3}));
      meets |= branch.size() > 1;
    }
    EXPECT_TRUE(meets);
  }
}

TEST(Interactions, WithoutGroupsOtherFeaturesMeet) {
  const auto branches = branches_of(trained("lambdamart", {}));
  EXPECT_TRUE(std::any_of(branches.begin(), branches.end(), [](const Features& branch) {
    return branch.size() > 1 && !is_within(branch, {0, 1, 2}) && !is_within(branch, {2, 3});
  }));
}

TEST(Interactions, AreRecordedOnlyWhereGiven) {
  const auto records = [](const std::string& file) {
    return file.find("interactions") != std::string::npos;
  };
  const std::string with = to_json(trained("lambdamart", {{"interactions", "1,2;3"}}));
  EXPECT_TRUE(records(with));
  EXPECT_TRUE(to_json(trained("lambdamart", {{"interactions", "1,2;3"}}, 2)) == with);
  EXPECT_FALSE(records(to_json(trained("lambdamart", {}))));
}

TEST(Interactions, RefuseUnknownFeatures) {
  EXPECT_THROW(trained("lambdamart", {{"interactions", "1,nothing"}}), Error);
  EXPECT_THROW(trained("lambdamart", {{"interactions", "1,;2"}}), Error);
}

}  // namespace
}  // namespace podium::interactions_test

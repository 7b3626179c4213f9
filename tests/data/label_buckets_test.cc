// Labels as grades.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/io_support.h"
#include "podium/transform.h"

namespace podium::label_buckets_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Dataset labelled(const std::vector<std::string>& labels) {
  std::string text;
  for (const std::string& label : labels) text += label + " qid:1 1:1\n";
  return testing::FromMemory().letor(text);
}

TEST(LabelBuckets, AnEdgeBelongsToTheBucketAbove) {
  const Dataset data = labelled({"-3", "0", "1", "9.5", "10", "2392"});
  EXPECT_THAT(bucket_labels(data, {1, 10}).labels(), ElementsAre(0, 0, 1, 1, 2, 2));
  EXPECT_THAT(bucket_labels(data, {}).labels(), ElementsAre(0, 0, 0, 0, 0, 0));
}

TEST(LabelBuckets, HoldEquallyManyDistinctLabels) {
  const Dataset data = labelled({"0", "0", "0", "0", "1", "2", "3", "40", "500"});
  EXPECT_THAT(fit_label_edges(data, 2), ElementsAre(3));
  EXPECT_THAT(fit_label_edges(data, 3), ElementsAre(2, 40));
  EXPECT_THAT(fit_label_edges(data, 4), ElementsAre(2, 3, 500));
}

TEST(LabelBuckets, AreNoMoreThanLabels) {
  EXPECT_THAT(fit_label_edges(labelled({"-1", "0", "7", "0"}), 5), ElementsAre(0, 7));
  EXPECT_THAT(fit_label_edges(labelled({"7", "7"}), 5), IsEmpty());
}

TEST(LabelBuckets, AreSavedWithTheTransform) {
  Transform transform;
  transform.label_edges = {0.1F, 17};
  EXPECT_EQ(transform_from_json(to_json(transform), "t.json").label_edges, transform.label_edges);
}

}  // namespace
}  // namespace podium::label_buckets_test

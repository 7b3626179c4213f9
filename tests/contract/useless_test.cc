// Every learner on data without information: the model reports that it is useless, and why.
#include <functional>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "learners/usefulness.h"
#include "podium/error.h"
#include "podium/learner.h"
#include "podium/transform.h"
#include "support/catalogue_rows.h"
#include "support/toy_data.h"

namespace podium::useless_test {
namespace {

using ::testing::AnyOf;
using testing::Bench;
using testing::make_dataset;
using testing::noisy_linear;

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

// Twelve queries of six documents with four features, labels 0, 1, 2.
struct Case {
  std::string name, reason;
  Dataset data;
};

Dataset with_values(const std::function<float(std::size_t query, std::size_t feature)>& value) {
  const Dataset plain = noisy_linear(12, 6, 4, 1);
  std::vector<float> values;
  for (std::size_t d = 0; d < plain.documents(); ++d)
    for (std::size_t f = 0; f < plain.features(); ++f) values.push_back(value(d / 6, f));
  DatasetParts parts = plain.parts();
  parts.dense = std::move(values);
  return Dataset(std::move(parts));
}

Dataset with_labels(const std::function<float(std::size_t query)>& label) {
  DatasetParts parts = noisy_linear(12, 6, 4, 1).parts();
  std::vector<float> labels;
  for (std::size_t d = 0; d < parts.labels.size(); ++d) labels.push_back(label(d / 6));
  parts.labels = std::move(labels);
  return Dataset(std::move(parts));
}

Dataset without_features() {
  DatasetParts parts = noisy_linear(12, 6, 4, 1).parts();
  parts.features = 0;
  parts.feature_names.clear();
  parts.dense = std::vector<float>{};
  return Dataset(std::move(parts));
}

Dataset without_weight() {
  DatasetParts parts = noisy_linear(12, 6, 4, 1).parts();
  parts.query_weights = std::vector<float>(12, 0.0F);
  return Dataset(std::move(parts));
}

constexpr const char* kConstant =
    "all features are constant within each query (values are stored as float32)";

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"constant features", kConstant,
       with_values([](std::size_t, std::size_t f) { return static_cast<float>(f) + 0.5F; })},
      {"features of the query", kConstant,
       with_values([](std::size_t q, std::size_t f) { return static_cast<float>(q * (f + 1)); })},
      {"missing values", "all values of all features are missing",
       with_values([](std::size_t, std::size_t) { return kMissing; })},
      {"no features", "there are no features", without_features()},
      {"equal labels", "all labels are equal", with_labels([](std::size_t) { return 1.0F; })},
      {"labels of 0", "all labels are equal", with_labels([](std::size_t) { return 0.0F; })},
      {"weights of 0", "all weights are zero", without_weight()},
  };
  return all;
}

class Useless : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<const Learner> learner = learners().make(GetParam());
  const Convention& convention = find_convention("podium");
  Bench bench;

  // As in the command line; "refused" if training refuses the data.
  std::string verdict(const Dataset& data) {
    const TransformOptions steps = learner->preparation();
    const Dataset prepared = apply(fit_transform(steps, data, bench.context), data, bench.context);
    const TrainingProblem problem{prepared, nullptr, parse_measure("nDCG@10", convention),
                                  convention};
    try {
      return why_useless(*learner, problem, learner->train(problem, bench.context), bench.context);
    } catch (const Error& error) {
      return "refused";
    }
  }
};

TEST_P(Useless, IsReportedWithTheReason) {
  for (const Case& degenerate : cases())
    EXPECT_THAT(verdict(degenerate.data), AnyOf("refused", degenerate.reason)) << degenerate.name;
}

TEST_P(Useless, ListsOfOneDocumentAreUselessToListwiseLearners) {
  // A pointwise learner can learn from single documents.
  EXPECT_THAT(verdict(noisy_linear(12, 1, 4, 1)),
              AnyOf("refused", GetParam() == "svm-acc" ? "" : "no query has two documents"));
}

TEST_P(Useless, IsNotReportedForModelsThatRank) {
  EXPECT_EQ(verdict(noisy_linear(40, 20, 4, 1)), "");
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Useless, ::testing::ValuesIn(testing::row_names(learners())),
                         testing::test_name);

}  // namespace
}  // namespace podium::useless_test

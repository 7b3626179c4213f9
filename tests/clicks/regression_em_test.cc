#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "clicks/fits.h"
#include "core/random.h"
#include "podium/click_simulation.h"
#include "podium/error.h"
#include "podium/judgement.h"
#include "support/temporary_folder.h"
#include "support/toy_data.h"

namespace podium::regression_em_test {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t kShown = 4;

// Grades 0 to 3, a feature that determines them, and one that means nothing.
Dataset determined_data(std::size_t queries) {
  Random random(5);
  std::vector<float> values, labels;
  for (std::size_t i = 0; i < queries * kShown; ++i) {
    labels.push_back(static_cast<float>(random.below(4)));
    values.push_back(labels.back() + static_cast<float>(0.8 * random.uniform()));
    values.push_back(static_cast<float>(random.uniform()));
  }
  return testing::make_dataset(std::vector<std::size_t>(queries, kShown), 2, std::move(values),
                               std::move(labels));
}

struct Notes final : Observer {
  void note(std::string_view text) override { all += std::string(text) + "\n"; }
  std::string all;
};

// A ranker that knows something shows the documents.
ClickLog shown_log(const Dataset& data, double explore, std::int64_t sessions = 60'000) {
  const testing::TemporaryFolder folder;
  testing::Bench bench;
  Random random(7);
  std::vector<double> scores;
  for (const float y : data.labels()) scores.push_back(y + 3 * random.uniform());
  const std::string path = folder.file("log.tsv");
  simulate_clicks(data, scores, {.sessions = sessions, .explore = explore}, path, bench.context);
  return read_click_log(path, {.held_out = 0.1}, &data, KeptSessions::none, bench.context);
}

ClickFitOptions options_of(const std::string& learner = "boosting(trees=60,learning-rate=0.2)") {
  return {.model = ClickModelKind::regression_em, .relevance_learner = learner};
}

ClickModel fit(const Dataset& data, const ClickLog& log, const ClickFitOptions& options,
               std::string* notes = nullptr, int threads = 1) {
  testing::Bench bench(threads);
  Notes observer;
  Context context{1, bench.pool, *bench.comm, observer};
  const ClickModel model = fit_click_model(log, options, context, nullptr, &data);
  if (notes) *notes = observer.all;
  return model;
}

void expect_truth(const ClickModel& model, double tolerance) {
  for (std::size_t p = 0; p < kShown; ++p) {
    const double truth = 1 / static_cast<double>(p + 1);
    EXPECT_NEAR(model.propensities[p], truth, tolerance * truth) << p;
  }
}

TEST(RegressionEm, FindsThePropensities) {
  const Dataset data = determined_data(300);
  for (const double explore : {0.3, 0.0}) {
    const ClickLog log = shown_log(data, explore);
    std::string notes;
    const ClickModel model = fit(data, log, options_of(), &notes);
    expect_truth(model, 0.07);
    EXPECT_EQ(model.components, explore > 0 ? 1u : kShown);
    if (explore > 0)
      EXPECT_EQ(notes, "");
    else
      EXPECT_THAT(notes, HasSubstr("compared only by the relevance that boosting"));
    EXPECT_LT(model.held_out.perplexity, model.null_held_out.perplexity);
  }
}

// Features that say nothing, and documents that differ.
TEST(RegressionEm, SaysThatFeaturesMissRelevance) {
  const Dataset data = determined_data(300);
  DatasetParts parts = data.parts();
  std::vector<float> noise;
  Random random(11);
  for (std::size_t i = 0; i < 2 * data.documents(); ++i)
    noise.push_back(static_cast<float>(random.uniform()));
  parts.dense = std::move(noise);
  std::string notes;
  const Dataset blind(std::move(parts));
  fit(blind, shown_log(blind, 0.3), options_of("boosting(trees=5)"), &notes);
  EXPECT_THAT(notes, HasSubstr("less of the clicks than documents do"));
}

TEST(RegressionEm, ObjectiveNeverFallsAndIsTheLikelihood) {
  const Dataset data = determined_data(60);
  for (const double explore : {0.5, 0.0})
    for (const char* learner :
         {"boosting(trees=10)", "boosting(trees=3,leaves=3)", "linear", "mart(trees=5)"}) {
      ClickFitOptions options = options_of(learner);
      options.prior = "1,1";
      const ClickLog log = shown_log(data, explore, 4000);
      if (std::string(learner).starts_with("mart")) {
        EXPECT_THROW(fit(data, log, options), Error);
        continue;
      }
      const ClickModel model = fit(data, log, options);
      ASSERT_GT(model.objective.size(), 2u);
      for (std::size_t i = 1; i < model.objective.size(); ++i)
        EXPECT_GE(model.objective[i], model.objective[i - 1]) << learner;
      EXPECT_NEAR(model.objective.back(), model.log_likelihood,
                  1e-6 * std::abs(model.log_likelihood));
      EXPECT_FALSE(model.ended.empty());
      EXPECT_LE(model.refits, options.refits);
    }
}

TEST(RegressionEm, SameBitsForAnyNumberOfThreads) {
  const Dataset data = determined_data(300);
  const ClickLog log = shown_log(data, 0.3, 5000);
  const ClickModel one = fit(data, log, options_of(), nullptr, 1);
  const ClickModel three = fit(data, log, options_of(), nullptr, 3);
  EXPECT_EQ(one.attraction, three.attraction);
  EXPECT_EQ(to_json(one, log), to_json(three, log));
}

TEST(RegressionEm, KeepsGivenPropensitiesAndJudges) {
  const Dataset data = determined_data(300);
  const ClickLog log = shown_log(data, 0);
  testing::Bench bench;
  const std::vector<double> theta = {1, 0.5, 1 / 3.0, 0.25};
  const ClickModel model = fit_click_model(log, options_of(), bench.context, &theta, &data);
  EXPECT_EQ(model.propensities, theta);
  const auto judged = judge(log, model);
  double error = 0;
  for (std::size_t d = 0; d < log.documents(); ++d) {
    const double grade = data.labels()[log.row[d]];
    error += std::abs(judged[d].relevance - (0.1 + 0.9 * (std::exp2(grade) - 1) / 7));
  }
  EXPECT_LT(error / static_cast<double>(log.documents()), 0.05);
}

TEST(RegressionEm, SaysWhatIsMissing) {
  const Dataset data = determined_data(20);
  const ClickLog log = shown_log(data, 0.5, 500);
  testing::Bench bench;
  const auto refusal = [&](const ClickFitOptions& options, const Dataset* given) {
    try {
      fit_click_model(log, options, bench.context, nullptr, given);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_THAT(refusal(options_of(), nullptr), HasSubstr("needs ‹data›"));
  EXPECT_THAT(refusal(options_of("ranksvm"), &data), HasSubstr("cannot learn probabilities"));
  EXPECT_THAT(refusal(options_of("boostin"), &data), HasSubstr("boostin"));
  EXPECT_THAT(refusal(options_of("boosting(tree=3)"), &data), HasSubstr("tree"));
  ClickFitOptions assumed = options_of();
  assumed.assume = "1/p^1";
  EXPECT_THAT(refusal(assumed, &data), HasSubstr("‹assume› is not for"));
}

}  // namespace
}  // namespace podium::regression_em_test

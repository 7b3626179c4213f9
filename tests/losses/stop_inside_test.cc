// A stop request ends the evaluation of a loss inside a list.
#include <thread>

#include <gtest/gtest.h>

#include "podium/loss.h"
#include "support/toy_data.h"

namespace podium::stop_inside_test {
namespace {

struct OneList {
  explicit OneList(std::size_t documents, double spread = 1)
      : data(testing::noisy_linear(1, documents, 2, 3, 5)) {
    Random random(5);
    for (std::size_t i = 0; i < documents; ++i) scores.push_back(spread * random.uniform());
  }
  double evaluate(const std::string& loss, StopCheck stop) const {
    std::vector<double> first(scores.size()), second(scores.size());
    return parse_loss(loss)->bind(data)->evaluate(0, scores, {first, second, stop});
  }
  Dataset data;
  std::vector<double> scores;
};

class StopInside : public ::testing::TestWithParam<const char*> {};

TEST_P(StopInside, EndsTheEvaluation) {
  std::stop_source source;
  const std::stop_token token = source.get_token();
  // Short lists are summed pair by pair, long ones are not, unless their scores are far apart.
  const OneList lists[] = {OneList(40), OneList(520), OneList(520, 1e12)};
  EXPECT_EQ(lists[0].evaluate(GetParam(), StopCheck(token)), lists[0].evaluate(GetParam(), {}));
  source.request_stop();
  for (const OneList& list : lists)
    EXPECT_THROW(list.evaluate(GetParam(), StopCheck(token)), Stopped) << list.scores.size();
}

INSTANTIATE_TEST_SUITE_P(
    Losses, StopInside,
    ::testing::Values("logistic-pairs", "fidelity-pairs", "exponential-pairs", "hinge-pairs",
                      "gbrank", "approx-ndcg", "smooth", "smooth@5", "softrank", "softrank@5",
                      "lambda-ndcg(truncation=0)", "lambda-tau", "lambda-infap", "lambda-iprec@0.5",
                      "lambda-meanndcg", "lambda-ap(denominator=retrieved)@20", "dorm",
                      "structured-ndcg@10", "squared+0.5*logistic-pairs", "max(dorm,hinge)"),
    [](const auto& info) { return std::to_string(info.index); });

// Without checking the token this would take minutes.
TEST(StopInsideOnTheWay, ARequestDuringTheEvaluationIsSeen) {
  const OneList list(30000);
  std::stop_source source;
  const std::stop_token token = source.get_token();
  const std::jthread asks([&] { source.request_stop(); });
  EXPECT_THROW(list.evaluate("lambda-meanndcg(truncation=0)", StopCheck(token)), Stopped);
}

}  // namespace
}  // namespace podium::stop_inside_test

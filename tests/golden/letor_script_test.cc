// The LETOR 4.0 evaluation script's output for three linear models on every test fold of MQ2007 and
// MQ2008: P@1–10, MAP, NDCG@1–10 and MeanNDCG under the letor convention, all to the script's four
// decimals.
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "podium/data_io.h"
#include "podium/evaluator.h"
#include "support/real_data.h"
#include "support/toy_data.h"

namespace podium::letor_script_test {
namespace {

constexpr int kModels[] = {2, 17, 40};

std::vector<double> read_predictions(const std::string& path) {
  std::istringstream text(testing::read_xz(path));
  std::vector<double> scores;
  for (std::string line; std::getline(text, line);) scores.push_back(std::stod(line));
  return scores;
}

// The "Average" rows: P@1 … P@10, MAP, NDCG@1 … NDCG@10, MeanNDCG.
std::vector<std::string> read_averages(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> values;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word != "Average") continue;
    while (words >> word) values.push_back(word);
  }
  return values;
}

std::vector<MeasurePtr> script_measures(const Convention& convention) {
  std::vector<MeasurePtr> measures;
  for (int k = 1; k <= 10; ++k)
    measures.push_back(parse_measure(fmt::format("P@{}", k), convention));
  measures.push_back(parse_measure("MAP", convention));
  for (int k = 1; k <= 10; ++k)
    measures.push_back(parse_measure(fmt::format("NDCG@{}", k), convention));
  measures.push_back(parse_measure("MeanNDCG", convention));
  return measures;
}

class LetorScript : public ::testing::TestWithParam<std::string> {};

TEST_P(LetorScript, IsReproduced) {
  PODIUM_REQUIRE_DATA();
  const Convention& convention = find_convention("letor");
  const Evaluator evaluator(script_measures(convention), convention);
  testing::Bench bench(2);
  std::size_t compared = 0;
  for (int fold = 1; fold <= 5; ++fold) {
    const std::string data_file =
        fmt::format("{}/Fold{}/test.txt", testing::letor_set(GetParam()), fold);
    const Dataset data = read_dataset(data_file, ReadOptions{}, bench.context);
    const std::string golden = fmt::format("{}/fixtures/letor4-script-golden/{}/Fold{}/",
                                           testing::data_folder(), GetParam(), fold);
    for (const int model : kModels) {
      const auto scores =
          read_predictions(fmt::format("{}pred_test_model{}.txt.xz", golden, model));
      const auto expected = read_averages(fmt::format("{}perf_test_model{}.txt", golden, model));
      const Evaluation evaluation = evaluator.evaluate(data, scores, bench.context);
      ASSERT_EQ(expected.size(), evaluation.values.size());
      for (std::size_t m = 0; m < expected.size(); ++m, ++compared)
        EXPECT_EQ(fmt::format("{:.4f}", evaluation.values[m]), expected[m])
            << evaluation.measures[m] << ", fold " << fold << ", model " << model;
    }
  }
  EXPECT_EQ(compared, 5U * 3U * 22U);
}

INSTANTIATE_TEST_SUITE_P(Golden, LetorScript, ::testing::Values("MQ2007", "MQ2008"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace podium::letor_script_test

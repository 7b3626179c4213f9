// ir_measures' expected values for small runs, for every measure that Podium has.
#include <fstream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "podium/trec.h"
#include "support/real_data.h"
#include "support/toy_data.h"

namespace podium::ir_measures_test {
namespace {

struct Expected {
  std::string provider, fixture, measure, topic;
  double value;
};

std::vector<Expected> read_expected(const std::string& path) {
  std::ifstream file(path);
  std::vector<Expected> rows;
  std::string line;
  std::getline(file, line);  // header
  while (std::getline(file, line)) {
    std::istringstream columns(line);
    Expected row;
    std::string value;
    std::getline(columns, row.provider, '\t');
    std::getline(columns, row.fixture, '\t');
    std::getline(columns, row.measure, '\t');
    std::getline(columns, row.topic, '\t');
    std::getline(columns, value, '\t');
    row.value = std::stod(value);
    rows.push_back(row);
  }
  return rows;
}

TEST(IrMeasures, ExpectedValues) {
  PODIUM_REQUIRE_DATA();
  const std::string folder = testing::data_folder() + "/fixtures/ir-measures/";
  testing::Bench bench(1);
  std::map<std::string, std::size_t> compared;
  for (const Expected& row : read_expected(folder + "expected.tsv")) {
    if (row.provider == "compat") continue;  // Podium has no Compat
    Convention convention = find_convention("trec");
    if (row.provider == "gdeval") convention.gain = GradeGain::exp2;
    const Evaluator evaluator({parse_measure(row.measure, convention)}, convention);
    const std::string name = folder + "small" + row.fixture;
    const Evaluation evaluation =
        evaluate_run(evaluator, read_qrels(name + ".qrels", bench.context),
                     read_run(name + ".run", bench.context), Topics::in_both, bench.context);
    const auto at = std::find(evaluation.qids.begin(), evaluation.qids.end(), row.topic);
    ASSERT_TRUE(row.topic == "all" || at != evaluation.qids.end()) << row.topic;
    const double value =
        row.topic == "all"
            ? evaluation.values[0]
            : evaluation.per_query[0][static_cast<std::size_t>(at - evaluation.qids.begin())];
    EXPECT_NEAR(value, row.value, 6e-5) << row.measure << " " << row.topic;
    ++compared[row.provider];
  }
  EXPECT_EQ(compared["pytrec_eval(trec_eval)"], 105U);
  EXPECT_EQ(compared["gdeval"], 12U);
}

}  // namespace
}  // namespace podium::ir_measures_test

// Boosting on a device gives the models and logs of the CPU, bit for bit, whether the loss is
// computed there or not.
#include <bit>

#include <gtest/gtest.h>

#include "data/content.h"
#include "learners/boosting/boosting.h"
#include "support/test_device.h"
#include "support/toy_data.h"

namespace podium::device_training_test {
namespace {

using testing::noisy_linear;

class Notes final : public Observer {
 public:
  void note(std::string_view text) override {
    if (text.find("on the CPU") != std::string_view::npos) on_cpu.emplace_back(text);
  }
  std::vector<std::string> on_cpu;
};

struct Trained {
  std::string model;
  std::vector<std::pair<std::string, std::uint64_t>> log;
  std::vector<std::string> notes;

  bool operator==(const Trained& other) const { return model == other.model && log == other.log; }
};

Trained trained(const Dataset& given, const std::string& loss, const BoostingOptions& options,
                Device device) {
  ThreadPool pool(1);
  const auto comm = make_local_communicator();
  Notes notes;
  Context context{.seed = 1, .pool = pool, .comm = *comm, .observer = notes, .device = device};
  const Dataset data = with_content(given, {}, context), valid = noisy_linear(10, 12, 6, 2);
  const auto convention = find_convention("podium");
  const TrainingProblem problem{data, &valid, parse_measure("nDCG@5", convention), convention};
  const TrainingResult result = train_by_boosting(problem, *parse_loss(loss), options, context);
  Trained all;
  SavedModel saved;
  saved.features = data.feature_names();
  saved.model = result.model;
  all.model = to_json(saved);
  for (const Iteration& step : result.log)
    for (const auto& [name, value] : step.values)
      all.log.emplace_back(name, std::bit_cast<std::uint64_t>(value));
  all.notes = notes.on_cpu;
  return all;
}

BoostingOptions small() {
  BoostingOptions options;
  options.trees = 12;
  options.leaves = 6;
  options.min_docs = 5;
  return options;
}

class DeviceTraining : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Losses, DeviceTraining,
                         ::testing::Values("lambda-ndcg", "lambda-ndcg(norm=query)@5", "lambda-ap",
                                           "lambdaloss", "squared", "query-squared", "softmax",
                                           "multinomial", "ordinal", "lambda-ndcg+0.1*squared"));

TEST_P(DeviceTraining, GivesTheBytesOfTheCpu) {
  const Dataset data = noisy_linear(40, 15, 6, 1);
  const Trained wanted = trained(data, GetParam(), small(), {});
  const Trained found = trained(data, GetParam(), small(), testing::test_device());
  EXPECT_TRUE(found == wanted);
  EXPECT_FALSE(wanted.log.empty());
  EXPECT_TRUE(found.notes.empty());
  EXPECT_TRUE(wanted.notes.empty());
}

TEST_P(DeviceTraining, GivesTheBytesOfTheCpuForSamplesAndBags) {
  const Dataset data = noisy_linear(40, 15, 6, 3, 2);
  BoostingOptions options = small();
  options.query_fraction = 0.5;
  EXPECT_TRUE(trained(data, GetParam(), options, testing::test_device()) ==
              trained(data, GetParam(), options, {}));
  options.bag = 2;
  EXPECT_TRUE(trained(data, GetParam(), options, testing::test_device()) ==
              trained(data, GetParam(), options, {}));
}

TEST(DeviceTraining, LossesWithoutCodeForDevicesAreComputedOnTheCpu) {
  const Dataset data = noisy_linear(30, 15, 6, 4);
  for (const char* loss : {"lambda-tau", "interval"}) {
    const Trained found = trained(data, loss, small(), testing::test_device());
    EXPECT_TRUE(found == trained(data, loss, small(), {})) << loss;
    EXPECT_EQ(found.notes, std::vector<std::string>{"the loss " + std::string(loss) +
                                                    " is computed on the CPU, the trees on the "
                                                    "device"});
  }
  BoostingOptions noisy = small();
  noisy.noise = 0.3;
  noisy.bag = 2;
  const Trained found = trained(data, "lambda-ndcg", noisy, testing::test_device());
  EXPECT_TRUE(found == trained(data, "lambda-ndcg", noisy, {}));
  EXPECT_EQ(found.notes, std::vector<std::string>{"a loss with ‹noise› is computed on the CPU, "
                                                  "the trees on the device"});
}

}  // namespace
}  // namespace podium::device_training_test

#include "clicks/dual_loss.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/random.h"
#include "podium/click_simulation.h"
#include "podium/error.h"
#include "podium/synthetic.h"
#include "podium/training.h"
#include "support/temporary_folder.h"
#include "support/toy_data.h"

namespace podium::dual_loss_test {
namespace {

constexpr std::size_t kDocuments = 4;

Dataset graded_data(std::size_t queries) {
  testing::Bench bench;
  SyntheticOptions options;
  options.queries = static_cast<std::int64_t>(queries);
  options.docs = kDocuments;
  options.features = 5;
  return make_synthetic(options, bench.context);
}

struct World {
  Dataset data;
  ClickLog log;
  std::vector<double> gamma;  // of each document of the log
};
World world_of(double eta, std::int64_t sessions, std::int64_t depth = 0) {
  const testing::TemporaryFolder folder;
  testing::Bench bench;
  World world{graded_data(60), {}, {}};
  Random random(3);
  std::vector<double> scores;
  for (const float y : world.data.labels()) scores.push_back(y + 2 * random.uniform());
  const std::string path = folder.file("log.tsv");
  const SimulationOptions options{.eta = eta, .sessions = sessions, .depth = depth, .explore = 0.4};
  simulate_clicks(world.data, scores, options, path, bench.context);
  world.log = read_click_log(path, {}, &world.data, KeptSessions::none, bench.context);
  for (std::size_t d = 0; d < world.log.documents(); ++d)
    world.gamma.push_back(0.1 + 0.9 * (std::exp2(world.data.labels()[world.log.row[d]]) - 1) / 15);
  return world;
}

DebiasedData dual(const World& world, double clip = 0.001) {
  testing::Bench bench;
  return debias_clicks(world.data, world.log, nullptr, {.debias = Debias::dual, .clip = clip},
                       bench.context);
}

// With the true relevance as scores, the propensities are found.
TEST(DualLoss, FindsPropensitiesWhereRelevanceIsKnown) {
  for (const double eta : {1.0, 0.0}) {
    const World world = world_of(eta, 400'000);
    const DebiasedData clicks = dual(world);
    const SharedLoss loss = clicks.rewrite_loss(parse_loss("softmax"));
    const auto bound = loss->bind(clicks.data);
    testing::Bench bench;
    float best = 0;
    for (const float y : world.data.labels()) best = std::max(best, y);
    std::vector<double> scores;  // the documents of the data are all shown, in its order
    for (const float y : world.data.labels())
      scores.push_back(std::log(0.1 + 0.9 * (std::exp2(y) - 1) / (std::exp2(best) - 1)));
    ASSERT_EQ(scores.size(), clicks.data.documents());
    for (int round = 0; round < 60; ++round)
      bound->state()->advance(scores, bench.pool, *bench.comm);
    const std::vector<double> g = bound->state()->values();
    for (std::size_t k = 0; k < kDocuments; ++k)
      EXPECT_NEAR(std::exp(g[k]), std::pow(static_cast<double>(k + 1), -eta), 0.03) << k;
  }
}

// The ranker's loss by hand: all clicks, each with e^{g_1 − g_k}.
TEST(DualLoss, WeighsClicksByExamination) {
  const World world = world_of(1, 2000);
  const DebiasedData clicks = dual(world, 0.2);
  const SharedLoss loss = clicks.rewrite_loss(parse_loss("softmax"));
  const auto bound = loss->bind(clicks.data);
  const std::vector<double> g = {0, -0.5, -1, -2.5};
  bound->state()->restore(g);
  const std::vector<double> scores = {0.3, -0.1, 0.7, 0};
  double log_total = 0;
  for (const double s : scores) log_total += std::exp(s);
  log_total = std::log(log_total);
  const double scale = 60 / world.log.session_total;
  double value = 0;
  for (std::size_t d = 0; d < world.log.documents(); ++d)
    for (const ClickCell& cell : world.log.cells_of(d))
      if (world.log.row[d] < kDocuments)
        value += scale * cell.clicked * std::min(5.0, std::exp(-g[cell.position - 1])) *
                 (log_total - scores[world.log.row[d]]);
  std::vector<double> first(4), second(4);
  EXPECT_NEAR(bound->evaluate(0, scores, {first, second}), value, 1e-9 * value);
  for (std::size_t i = 0; i < 4; ++i) {
    constexpr double kStep = 1e-6;
    std::vector<double> up = scores, down = scores, one(4), two(4);
    up[i] += kStep;
    down[i] -= kStep;
    const double slope =
        (bound->evaluate(0, up, {one, two}) - bound->evaluate(0, down, {one, two})) / (2 * kStep);
    EXPECT_NEAR(first[i], slope, 1e-6);
  }
}

// Parts of the queries on several ranks, and any number of threads: the same bits.
TEST(DualLoss, SameBitsForThreadsAndRanks) {
  const World world = world_of(1, 5000);
  const DebiasedData clicks = dual(world);
  const SharedLoss loss = clicks.rewrite_loss(parse_loss("softmax"));
  Random random(9);
  std::vector<double> scores;
  for (std::size_t d = 0; d < clicks.data.documents(); ++d) scores.push_back(random.uniform());
  std::vector<std::vector<double>> found;
  for (const int threads : {1, 3}) {
    testing::Bench bench(threads);
    const auto bound = loss->bind(clicks.data);
    for (int round = 0; round < 3; ++round)
      bound->state()->advance(scores, bench.pool, *bench.comm);
    found.push_back(bound->state()->values());
  }
  EXPECT_EQ(found[0], found[1]);
  EXPECT_NE(found[0], std::vector<double>(kDocuments, 0.0));
}

class StopOnce final : public Checkpoints {
 public:
  StopOnce(std::vector<std::byte> state, int every) : resumed_(std::move(state)), left_(every) {}
  std::span<const std::byte> resumed() const override { return resumed_; }
  bool due() override { return true; }
  void keep(std::span<const std::byte> state) override {
    kept.assign(state.begin(), state.end());
    if (--left_ == 0) stop.request_stop();
  }
  std::vector<std::byte> kept;
  std::stop_source stop;

 private:
  std::vector<std::byte> resumed_;
  int left_;
};

std::string model_text(const TrainingResult& result) {
  SavedModel saved;
  saved.model = result.model;
  return to_json(saved);
}

// Training as a whole, in two and three ranks, and stopped after three rounds and resumed.
TEST(DualLoss, TrainsTheSameModelOnRanksAndWhenResumed) {
  const World world = world_of(1, 5000);
  const DebiasedData clicks = dual(world);
  TrainingSpec spec;
  spec.learner = "boosting";
  spec.options = {{"trees", "8"}, {"leaves", "4"}, {"min-docs", "5"}};
  spec.loss = parse_loss("softmax");
  spec.rewrite_loss = clicks.rewrite_loss;
  spec.measures = parse_measures("nDCG@10", spec.convention);
  const auto learner = choose_learner(spec).learner;
  const auto train = [&](const Dataset& data, Communicator& comm, StopOnce& checkpoints) {
    ThreadPool pool(1);
    Observer silent;
    Context context{1, pool, comm, silent, checkpoints.stop.get_token(), &checkpoints};
    const TrainingProblem problem{data, nullptr, spec.measures[0], spec.convention};
    return model_text(learner->train(problem, context));
  };
  const auto alone = make_local_communicator();
  StopOnce never({}, 0), stopped({}, 3);
  const std::string whole = train(clicks.data, *alone, never);
  EXPECT_NE(train(clicks.data, *alone, stopped), whole);
  StopOnce resumed(stopped.kept, 0);
  EXPECT_EQ(train(clicks.data, *alone, resumed), whole);
  for (const int ranks : {2, 3})
    run_in_threads(ranks, [&](Communicator& comm) {
      std::vector<std::size_t> mine;
      for (std::size_t q = 0; q < clicks.data.queries(); ++q)
        if (comm.rank() == (3 * q < clicks.data.queries() ? 0 : comm.size() - 1)) mine.push_back(q);
      StopOnce none({}, 0);
      EXPECT_EQ(train(select_queries(clicks.data, mine), comm, none), whole) << ranks;
    });
}

TEST(DualLoss, NeedsASoftmaxAndAFirmTrainer) {
  const World world = world_of(1, 1000);
  const DebiasedData clicks = dual(world);
  for (const char* name : {"logistic-pairs", "softmax@3", "softmax+squared"})
    EXPECT_THROW(clicks.rewrite_loss(parse_loss(name)), Error) << name;
  TrainingSpec spec;
  spec.learner = "listnet";
  spec.rewrite_loss = clicks.rewrite_loss;
  try {
    choose_learner(spec);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("cannot learn propensities beside its model"));
  }
  spec.learner = "boosting";
  spec.loss = parse_loss("softmax");
  EXPECT_NO_THROW(choose_learner(spec));
}

}  // namespace
}  // namespace podium::dual_loss_test

// Trees grown by kernels equal those grown by threads, bit for bit: over random data, options,
// samples and ranks, and in both orders in which the host can run blocks and threads.
#include "trees/device/device_tree_grower.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/exact_sum.h"
#include "support/test_device.h"
#include "trees/cpu_tree_grower.h"
#include "trees/tree_data.h"

namespace podium::device_tree_grower_test {
namespace {

using testing::Bench;
using testing::draw_slopes;
using testing::same_tree;
using testing::Slopes;

// What is grown, and on what.
struct Case {
  Dataset data;
  BinOptions bins;
  TreeOptions options;
  std::size_t outputs = 1;
  std::optional<std::vector<std::uint32_t>> sample = {};
  std::uint64_t seed = 1;
  double more_curvature = 0;  // makes all second derivatives similar
};

struct Outcome {
  std::vector<Tree> trees;
  std::vector<double> scores, looked_up;
};

// Two rounds, the second on derivatives that depend on the scores.
Outcome grow_with(TreeGrower& grower, const Case& given) {
  Outcome outcome;
  grower.set_scores(std::vector<double>(given.data.documents() * given.outputs, 0.25));
  for (std::uint64_t round = 0; round < 2; ++round) {
    const auto scores = grower.scores();
    const auto buffers = grower.derivatives();
    for (std::size_t k = 0; k < given.outputs; ++k) {
      const Slopes slopes = draw_slopes(given.data, given.seed + k);
      for (std::size_t i = 0; i < slopes.first.size(); ++i) {
        const std::size_t at = i * given.outputs + k;
        buffers.first[at] = slopes.first[i] + 0.5 * scores[at];
        buffers.second[at] = slopes.second[i] + given.more_curvature;
      }
    }
    std::vector<Tree> grown;
    for (std::size_t k = 0; k < given.outputs; ++k)
      grown.push_back(grower.grow({k, given.sample, 10 * round + k}));
    for (std::size_t k = 0; k < given.outputs; ++k) {
      grower.add(k, grown[k].values);
      std::vector<double> numbers(grown[k].values.size());
      std::iota(numbers.begin(), numbers.end(), 0.5);
      std::vector<double> looked_up(given.data.documents());
      grower.look_up(k, numbers, looked_up);
      outcome.looked_up.insert(outcome.looked_up.end(), looked_up.begin(), looked_up.end());
      outcome.trees.push_back(std::move(grown[k]));
    }
  }
  const auto scores = grower.scores();
  outcome.scores.assign(scores.begin(), scores.end());
  return outcome;
}

bool same(const Outcome& a, const Outcome& b) {
  if (a.trees.size() != b.trees.size()) return false;
  for (std::size_t t = 0; t < a.trees.size(); ++t)
    if (!same_tree(a.trees[t], b.trees[t]) || a.trees[t].categories != b.trees[t].categories)
      return false;
  return a.scores == b.scores && a.looked_up == b.looked_up;
}

Outcome grow_on_cpu(const Case& given, Context& context) {
  const BinnedDataset binned = BinnedDataset::bin(given.data, given.bins, context);
  CpuTreeGrower grower({.data = binned,
                        .options = given.options,
                        .outputs = given.outputs,
                        .counted_documents = 1000},
                       context);
  return grow_with(grower, given);
}

Outcome grow_on_device(const Case& given, RunOrder order, Context& context) {
  const BinnedDataset binned = BinnedDataset::bin(given.data, given.bins, context);
  DeviceTreeGrower grower({.data = binned,
                           .options = given.options,
                           .outputs = given.outputs,
                           .counted_documents = 1000},
                          testing::open_test_queue(order), context);
  return grow_with(grower, given);
}

Case draw_case(std::uint64_t seed) {
  Random random(seed);
  Case drawn;
  drawn.seed = seed;
  const auto one_in = [&](std::uint64_t n) { return random.below(n) == 0; };
  if (one_in(3))
    drawn.data = testing::with_categories(1 + random.below(8), seed);
  else
    drawn.data =
        testing::mixed_data(1 + random.below(5), 1 + random.below(400), 1 + random.below(40), seed);
  if (one_in(4)) drawn.data = testing::as_sparse(drawn.data, one_in(2) ? 0 : testing::kMissing);
  drawn.bins = {.max_bins = 2 + static_cast<int>(random.below(254)),
                .sparse_from = one_in(3) ? 2.0 : 0.3 + 0.6 * random.uniform()};
  TreeOptions& options = drawn.options;
  options.leaves = 1 + static_cast<int>(random.below(40));
  options.max_depth = one_in(3) ? static_cast<int>(random.below(6)) : 0;
  options.min_docs = static_cast<std::int64_t>(random.below(12));
  options.min_curvature = random.uniform();
  options.l2 = static_cast<double>(random.below(3));
  options.category_l2 = random.uniform();
  options.min_gain = one_in(4) ? random.uniform() : 0;
  options.feature_fraction = one_in(3) ? 0.2 + 0.8 * random.uniform() : 1;
  const std::size_t features = drawn.data.features();
  if (one_in(4) && drawn.data.schema().all_numbers())
    for (std::size_t f = 0; f < features; ++f)
      options.monotone.push_back(static_cast<std::int8_t>(random.below(3)) - 1);
  if (one_in(4))
    for (std::uint32_t f = 0; f + 1 < features; f += 2) options.interactions.push_back({f, f + 1});
  if (one_in(5)) options.leaf_value = TreeOptions::LeafValue::gradient;
  if (one_in(3)) options.histogram_bytes = 1;  // two histograms
  if (one_in(4)) drawn.outputs = 1 + random.below(4);
  if (one_in(3)) {
    drawn.sample.emplace();
    for (std::uint32_t d = 0; d < drawn.data.documents(); ++d)
      if (!one_in(3)) drawn.sample->push_back(d);
  }
  return drawn;
}

RC_GTEST_PROP(DeviceTreeGrower, GrowsTheTreesOfTheCpu, ()) {
  const Case drawn = draw_case(*rc::gen::inRange<std::uint64_t>(0, 1000000));
  Bench bench;
  const Outcome expected = grow_on_cpu(drawn, bench.context);
  for (const RunOrder order : {RunOrder::forwards, RunOrder::backwards})
    RC_ASSERT(same(grow_on_device(drawn, order, bench.context), expected));
}

// Enough documents for several slices, stretches and chunks of every kernel.
TEST(DeviceTreeGrower, LongLeaves) {
  Case given{.data = testing::mixed_data(300, 100, 20, 7),
             .bins = {},
             .options = {.leaves = 20, .min_docs = 50}};
  Bench bench;
  EXPECT_TRUE(same(grow_on_device(given, RunOrder::backwards, bench.context),
                   grow_on_cpu(given, bench.context)));
}

// Sums of few bins overflow the lower half of a table's number.
TEST(DeviceTreeGrower, HalvesOfSumsCarry) {
  Case given{.data = testing::mixed_data(300, 100, 20, 7),
             .bins = {.max_bins = 6},
             .options = {.leaves = 8},
             .more_curvature = 5};
  Bench bench;
  EXPECT_TRUE(same(grow_on_device(given, RunOrder::forwards, bench.context),
                   grow_on_cpu(given, bench.context)));
}

TEST(DeviceTreeGrower, RanksGrowTheSameTrees) {
  Case whole{.data = testing::with_categories(30, 9),
             .bins = {},
             .options = {.leaves = 25, .min_docs = 3, .feature_fraction = 0.9},
             .outputs = 2};
  Bench bench;
  // Derivatives of a rank must be those of its rows.
  const auto grow = [](TreeGrower& grower, const Dataset& data, std::size_t outputs) {
    const auto buffers = grower.derivatives();
    const Rows rows = data.rows(0, data.documents());
    std::vector<float> row(data.features());
    for (std::size_t d = 0; d < data.documents(); ++d) {
      rows.copy(d, row);
      for (std::size_t k = 0; k < outputs; ++k) {
        buffers.first[d * outputs + k] =
            std::sin(static_cast<double>(row[0]) * 9 + static_cast<double>(k) + 0.01 * row[3]);
        buffers.second[d * outputs + k] = 0.5 + static_cast<double>(row[0]);
      }
    }
    std::vector<Tree> trees;
    for (std::size_t k = 0; k < outputs; ++k) trees.push_back(grower.grow({k, {}, k}));
    return trees;
  };
  const BinnedDataset binned = BinnedDataset::bin(whole.data, whole.bins, bench.context);
  const TreeGrower::Setup setup{.data = binned,
                                .options = whole.options,
                                .outputs = whole.outputs,
                                .counted_documents = 1800};
  CpuTreeGrower alone(setup, bench.context);
  const std::vector<Tree> expected = grow(alone, whole.data, whole.outputs);
  EXPECT_GT(expected[0].values.size(), 10U);
  for (const int ranks : {2, 3})
    run_in_threads(ranks, [&](Communicator& comm) {
      // The first rank has no documents where there are three.
      const auto queries = comm.rank() == 0 && ranks == 3
                               ? std::vector<std::size_t>()
                               : testing::queries_of_rank(whole.data.queries(),
                                                          comm.rank() - (ranks == 3 ? 1 : 0), 2);
      const Dataset mine = select_queries(whole.data, queries);
      ThreadPool pool(1);
      Observer silent;
      Context context{1, pool, comm, silent};
      const BinnedDataset bins = BinnedDataset::bin(mine, whole.bins, context);
      DeviceTreeGrower grower({.data = bins,
                               .options = whole.options,
                               .outputs = whole.outputs,
                               .counted_documents = 1800},
                              testing::open_test_queue(RunOrder::backwards), context);
      const std::vector<Tree> grown = grow(grower, mine, whole.outputs);
      for (std::size_t k = 0; k < whole.outputs; ++k)
        EXPECT_TRUE(same_tree(grown[k], expected[k])) << ranks << " ranks, output " << k;
    });
}

// The exact sum of curvatures, of any size and sign.
TEST(DeviceTreeGrower, TotalsAreExact) {
  Bench bench;
  const auto queue = testing::open_test_queue(RunOrder::backwards);
  Random random(3);
  std::vector<double> values;
  for (int i = 0; i < 5000; ++i)
    values.push_back(
        std::ldexp(random.uniform() - 0.5, static_cast<int>(random.below(2000)) - 1050));
  for (const double special : {0.0, -0.0, 5e-324, -5e-324, 0x1p1023, -0x1p1023})
    values.push_back(special);
  const DeviceArray<double> array(*queue, std::span<const double>(values));
  DeviceArray<TotalDigits> total(*queue, 1);
  total.clear();
  queue->run<TotalKernel>(3, {array.data(), 2, 1, values.size() / 2, total.data()},
                          sizeof(TotalKernel::Shared));
  const auto digits = total.values();
  const double found = ExactSum::from_bytes(std::as_bytes(std::span(digits))).value();
  EXPECT_EQ(found, output_total(values, 2, 1, bench.context));
}

}  // namespace
}  // namespace podium::device_tree_grower_test

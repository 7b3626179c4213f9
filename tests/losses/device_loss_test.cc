// Losses on a device have the derivatives and values of the CPU, bit for bit: on random queries,
// with all options, and for any order in which the device runs blocks and threads.
#include "losses/device/device_loss.h"

#include <bit>
#include <cmath>
#include <numeric>
#include <optional>

#include <gtest/gtest.h>

#include "losses/device/squared_length.h"
#include "podium/loss.h"
#include "support/test_device.h"
#include "support/toy_data.h"

namespace podium::device_loss_test {
namespace {

// Of all documents as they are stored.
struct Derived {
  std::vector<double> first, second;
  double value = 0;
};

// One data set, and how its documents are stored.
struct Sample {
  Dataset data;  // in the loss's order
  std::vector<std::uint32_t> row_order;
  std::vector<double> query_counts;

  std::size_t stored(std::size_t q, std::size_t row) const {
    const std::size_t begin = data.begin(q);
    return begin + (row_order.empty() ? row : row_order[begin + row]);
  }
};

float draw_label(Random& random, int kind) {
  switch (kind) {
    case 0:
      return static_cast<float>(random.below(5));
    case 1:
      return static_cast<float>(random.below(2));
    case 2:
      return static_cast<float>(random.below(9)) / 4;
    default:
      return 1;
  }
}

Sample draw_sample(const std::vector<std::size_t>& lengths, Random& random) {
  std::vector<float> labels, weights, query_weights;
  Sample sample;
  for (const std::size_t n : lengths) {
    const int kind = static_cast<int>(random.below(5)) % 4;
    for (std::size_t i = 0; i < n; ++i) {
      labels.push_back(draw_label(random, kind));
      weights.push_back(static_cast<float>(random.uniform() * 3));
    }
    query_weights.push_back(static_cast<float>(random.uniform() * 2));
    sample.query_counts.push_back(static_cast<double>(random.below(4)));
    const std::size_t begin = sample.row_order.size();
    sample.row_order.resize(begin + n);
    const auto order = std::span(sample.row_order).subspan(begin);
    std::iota(order.begin(), order.end(), 0U);
    for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  }
  if (random.below(2)) sample.row_order.clear();
  if (random.below(2)) sample.query_counts.clear();
  DatasetParts parts = testing::make_dataset(lengths, 0, {}, std::move(labels)).parts();
  if (random.below(2)) parts.document_weights = std::move(weights);
  if (random.below(2)) parts.query_weights = std::move(query_weights);
  sample.data = Dataset(std::move(parts));
  return sample;
}

double draw_score(Random& random, int kind) {
  const double x = random.uniform() - 0.5;
  switch (kind) {
    case 0:
      return 6 * x;
    case 1:  // ties, also of 0 and −0
      return std::round(4 * x) / 4;
    case 2:
      return 2e6 * x;
    case 3:
      return 1 + 1e-12 * std::round(8 * x);
    case 4:
      return 400 * x;
    case 5:
      return 1e307 * x;
    default:
      return 0;
  }
}

std::vector<double> draw_scores(const Dataset& data, std::size_t outputs, Random& random) {
  std::vector<double> scores;
  for (std::size_t q = 0; q < data.queries(); ++q) {
    const int kind = static_cast<int>(random.below(7));
    for (std::size_t i = data.begin(q) * outputs; i < data.end(q) * outputs; ++i)
      scores.push_back(draw_score(random, kind));
  }
  return scores;
}

// As learners/boosting/boosted_loss.cc does it.
Derived on_host(const Loss& loss, const BoundLoss& bound, const Sample& sample,
                std::span<const double> scores) {
  const std::size_t outputs = bound.link().outputs();
  Derived all{std::vector<double>(scores.size()), std::vector<double>(scores.size())};
  ExactSum sum;
  for (std::size_t q = 0; q < sample.data.queries(); ++q) {
    const std::size_t n = sample.data.end(q) - sample.data.begin(q);
    std::vector<double> own(n * outputs), first(n * outputs), second(n * outputs);
    const auto each = [&](auto&& use) {
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < outputs; ++k)
          use(i * outputs + k, sample.stored(q, i) * outputs + k);
    };
    each([&](std::size_t row, std::size_t at) { own[row] = scores[at]; });
    double value = 0;
    const bool frozen = loss.traits().weights == LossTraits::Weights::frozen;
    if (frozen)
      bound.differentiate(q, own, {first, second});
    else
      value = bound.evaluate(q, own, {first, second});
    if (!sample.query_counts.empty()) {
      value *= sample.query_counts[q];
      for (double& d : first) d *= sample.query_counts[q];
      for (double& d : second) d *= sample.query_counts[q];
    }
    sum += frozen ? squared_length(first.data(), first.size()) : value;
    each([&](std::size_t row, std::size_t at) {
      all.first[at] = first[row];
      all.second[at] = second[row];
    });
  }
  all.value = sum.value();
  return all;
}

// Evaluates twice: nothing may be left over from the first time.
Derived on_device(const BoundLoss& bound, const Sample& sample, std::span<const double> scores,
                  RunOrder order) {
  const auto queue = testing::open_test_queue(order);
  const auto loss = bound.on_device({.queue = *queue,
                                     .query_begin = sample.data.query_begin(),
                                     .row_order = sample.row_order,
                                     .query_counts = sample.query_counts});
  if (!loss) {
    ADD_FAILURE() << "no code for devices";
    return {};
  }
  const DeviceArray<double> at(*queue, scores);
  DeviceArray<double> first(*queue, scores.size()), second(*queue, scores.size());
  Derived all;
  for (int time = 0; time < 2; ++time)
    all.value = loss->evaluate({at.data(), first.data(), second.data()}).value();
  all.first = first.values();
  all.second = second.values();
  return all;
}

bool same_bits(double a, double b) {
  return std::isnan(a) ? std::isnan(b)
                       : std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

// The place of the first difference.
std::optional<std::size_t> difference(std::span<const double> a, std::span<const double> b) {
  if (a.size() != b.size()) return std::min(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!same_bits(a[i], b[i])) return i;
  return {};
}

void expect_same(const std::string& name, const Sample& sample, Random& random) {
  const SharedLoss loss = parse_loss(name);
  const auto bound = loss->bind(sample.data);
  const auto scores = draw_scores(sample.data, bound->link().outputs(), random);
  const Derived wanted = on_host(*loss, *bound, sample, scores);
  for (const RunOrder order : {RunOrder::forwards, RunOrder::backwards}) {
    const Derived found = on_device(*bound, sample, scores, order);
    const auto first = difference(wanted.first, found.first);
    const auto second = difference(wanted.second, found.second);
    ASSERT_FALSE(first) << name << ": " << *first << ", " << wanted.first[*first] << " "
                        << found.first[*first];
    ASSERT_FALSE(second) << name << ": " << *second << ", " << wanted.second[*second] << " "
                         << found.second[*second];
    ASSERT_TRUE(same_bits(wanted.value, found.value))
        << name << ": " << wanted.value << " " << found.value;
  }
}

class DeviceLossNamed : public ::testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(
    Lambda, DeviceLossNamed,
    ::testing::Values("lambda-ndcg", "lambda-ndcg@5", "lambda-ndcg(norm=none,truncation=0)",
                      "lambda-ndcg(norm=query,sigma=2,gain=linear)",
                      "lambda-ndcg(sigma=0.3,truncation=3,discount=letor,seed=5)@10",
                      "lambda-ndcg(truncation=0)", "lambda-ap", "lambda-ap(norm=query,rel=2)@7",
                      "lambda-ap(norm=none,truncation=0)", "lambda-rr",
                      "lambda-rr(norm=query,truncation=0)@4", "lambda-p@5",
                      "lambda-p(norm=none)@10", "lambda-dcg@8", "lambda-err",
                      "lambda-err(norm=query,truncation=0)@6", "lambda-r@5", "lambdaloss",
                      "lambdaloss(form=loss2,norm=none)@6",
                      "lambdaloss(mu=3,norm=query,truncation=0)"));

INSTANTIATE_TEST_SUITE_P(Smooth, DeviceLossNamed,
                         ::testing::Values("squared", "squared(targets=exp2)", "query-squared",
                                           "softmax", "softmax(target=gains)", "xendcg",
                                           "xendcg(gamma=drawn)", "multinomial", "ordinal",
                                           "0.3*multinomial", "softmax+0.5*squared",
                                           "0.25*xendcg+query-squared+squared",
                                           "lambda-ndcg+0.1*squared", "2*lambda-ap(truncation=0)"));

// Lengths around those of blocks and classes of lists.
TEST_P(DeviceLossNamed, HasTheBitsOfTheCpu) {
  Random random(7);
  for (int repetition = 0; repetition < 12; ++repetition) {
    std::vector<std::size_t> lengths;
    for (const std::size_t n : {1U, 2U, 3U, 7U, 8U, 9U, 16U, 17U, 31U, 33U})
      for (int k = 0; k < 3; ++k) lengths.push_back(n);
    for (int k = 0; k < 3; ++k) lengths.push_back(1 + random.below(300));
    expect_same(GetParam(), draw_sample(lengths, random), random);
  }
}

TEST_P(DeviceLossNamed, HasTheBitsOfTheCpuForLongLists) {
  Random random(8);
  for (int repetition = 0; repetition < 2; ++repetition)
    expect_same(GetParam(), draw_sample({512, 1, 513, 130, 700 + random.below(1300), 0, 5}, random),
                random);
}

TEST_P(DeviceLossNamed, IsNotANumberIfAScoreIsNotFinite) {
  Random random(9);
  for (const double odd : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    const Sample sample = draw_sample({20, 600, 30}, random);
    const auto bound = parse_loss(GetParam())->bind(sample.data);
    std::vector<double> scores(650 * bound->link().outputs(), 0.5);
    for (const std::size_t place : {3U, 400U, 640U}) {
      auto with = scores;
      with[place] = odd;
      EXPECT_TRUE(std::isnan(on_device(*bound, sample, with, RunOrder::forwards).value));
    }
    EXPECT_TRUE(std::isfinite(on_device(*bound, sample, scores, RunOrder::forwards).value));
  }
}

// Pairs, up to the longest list.
class DevicePairsNamed : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(
    Pairs, DevicePairsNamed,
    ::testing::Values("logistic-pairs", "logistic-pairs(weight=grade,sigma=2,pairs=sum)",
                      "exponential-pairs", "exponential-pairs(sigma=0.3,weight=grade)",
                      "fidelity-pairs", "fidelity-pairs(pairs=sum)", "hinge-pairs",
                      "hinge-pairs(margin=0.2,grade-margin=0.5)", "squared-hinge-pairs",
                      "squared-hinge-pairs(tie=0.4,weight=grade)",
                      "gbrank(margin=0.5,grade-margin=1,tie=0.1)", "margin-pairs",
                      "margin-pairs(form=literal,delta=2,weight=grade)",
                      "logistic-pairs+0.5*squared"));
TEST_P(DevicePairsNamed, HaveTheBitsOfTheCpu) {
  Random random(11);
  for (int repetition = 0; repetition < 12; ++repetition) {
    std::vector<std::size_t> lengths = {0};
    for (const std::size_t n : {1U, 2U, 3U, 7U, 8U, 9U, 16U, 17U, 31U, 33U})
      for (int k = 0; k < 3; ++k) lengths.push_back(n);
    lengths.push_back(1 + random.below(300));
    lengths.push_back(repetition < 3 ? 512 : 257);
    expect_same(GetParam(), draw_sample(lengths, random), random);
  }
}
TEST_P(DevicePairsNamed, AreLeftToTheCpuIfAListIsLonger) {
  Random random(12);
  const Sample sample = draw_sample({5, 513}, random);
  const auto queue = testing::open_test_queue(RunOrder::forwards);
  EXPECT_EQ(parse_loss(GetParam())
                ->bind(sample.data)
                ->on_device({.queue = *queue, .query_begin = sample.data.query_begin()}),
            nullptr);
}

// Of all rows of the table with code for devices.
TEST(DeviceLoss, EveryRowHasTheBitsOfTheCpu) {
  Random random(10);
  std::vector<std::string> found;
  for (const Entry<Loss>* const entry : losses().entries()) {
    const std::string name(entry->name);
    const auto queue = testing::open_test_queue(RunOrder::forwards);
    const Dataset toy = testing::noisy_linear(3, 8, 2, 1);
    const DeviceLossSite site{.queue = *queue, .query_begin = toy.query_begin()};
    if (!parse_loss(name)->bind(toy)->on_device(site)) continue;
    found.push_back(name);
    expect_same(name, draw_sample({1, 2, 9, 40, 150}, random), random);
  }
  EXPECT_EQ(found, (std::vector<std::string>{
                       "squared", "query-squared", "multinomial", "ordinal", "softmax", "xendcg",
                       "logistic-pairs", "exponential-pairs", "fidelity-pairs", "hinge-pairs",
                       "squared-hinge-pairs", "gbrank", "margin-pairs", "lambda-ndcg", "lambda-ap",
                       "lambda-rr", "lambda-err", "lambda-p", "lambdaloss"}));
}

TEST(DeviceLoss, LossesWithoutCodeForDevicesHaveNone) {
  const Dataset data = testing::noisy_linear(3, 8, 2, 1);
  const auto queue = testing::open_test_queue(RunOrder::forwards);
  for (const char* name : {"lambda-tau", "lambda-auc", "interval", "squared+lambda-tau"})
    EXPECT_EQ(parse_loss(name)->bind(data)->on_device(
                  {.queue = *queue, .query_begin = data.query_begin()}),
              nullptr)
        << name;
}

TEST(DeviceLoss, GroupsQueriesByLength) {
  const std::vector<std::uint64_t> begin = {0, 3, 13, 13, 33, 35, 39};  // 3 10 0 20 2 4
  const std::vector<std::uint32_t> queries = {0, 1, 2, 3, 5};
  const std::vector<std::size_t> limits = {3, 10};
  using Queries = std::vector<std::uint32_t>;
  EXPECT_EQ(queries_by_length(begin, queries, limits),
            (std::vector<Queries>{Queries{0, 2}, Queries{1, 5}, Queries{3}}));
}

}  // namespace
}  // namespace podium::device_loss_test

// One suite over every row of the table of learners: a model is a function of the data as a set of
// queries, which are sets of rows. Names, order and storage change no byte of the file, nor does
// the distribution over ranks.
#include <algorithm>
#include <functional>
#include <numeric>

#include <gtest/gtest.h>

#include "core/random.h"
#include "podium/training.h"
#include "support/catalogue_rows.h"
#include "support/toy_data.h"

namespace podium::content_contract_test {
namespace {

using testing::Bench;
using testing::noisy_linear;

using Name = std::function<std::string(std::size_t)>;

// The queries in another order, with other names, and with their rows in another order.
struct Shuffle {
  bool queries = false, rows = false;
  Name name = [](std::size_t q) { return "q" + std::to_string(q); };
};

std::vector<std::size_t> order_of(std::size_t n, bool shuffled, std::uint64_t stream) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (shuffled) Random(99, stream).shuffle(std::span(order));
  return order;
}

Dataset rearranged(const Dataset& data, const Shuffle& how) {
  std::vector<std::uint64_t> begin = {0};
  std::vector<float> labels, dense, weights, query_weights;
  std::vector<std::string> qids;
  for (const std::size_t q : order_of(data.queries(), how.queries, 0)) {
    const Rows rows = data.rows(q);
    for (const std::size_t i : order_of(rows.documents(), how.rows, q + 1)) {
      const auto row = rows.dense(i);
      dense.insert(dense.end(), row.begin(), row.end());
      labels.push_back(data.labels(q)[i]);
      if (!data.document_weights(q).empty()) weights.push_back(data.document_weights(q)[i]);
    }
    begin.push_back(labels.size());
    query_weights.push_back(data.query_weight(q));
    qids.push_back(how.name(qids.size()));
  }
  DatasetParts parts;
  parts.query_begin = std::move(begin);
  parts.labels = std::move(labels);
  parts.qids = make_strings(qids);
  parts.features = data.features();
  parts.dense = std::move(dense);
  parts.document_weights = std::move(weights);
  parts.query_weights = std::move(query_weights);
  return Dataset(std::move(parts));
}

// Two equal queries, two equal rows in a query, weights, and −0 and 0.
Dataset training_data() {
  const Dataset data = noisy_linear(40, 15, 6, 1);
  std::vector<std::size_t> queries(data.queries());
  std::iota(queries.begin(), queries.end(), std::size_t{0});
  queries.push_back(7);
  const Dataset twice = select_queries(data, queries);
  DatasetParts parts = twice.parts();
  std::vector<float> dense(parts.dense.view().begin(), parts.dense.view().end());
  std::vector<float> labels(parts.labels.view().begin(), parts.labels.view().end());
  const std::size_t width = data.features(), row = data.begin(3);
  std::copy_n(dense.begin() + static_cast<std::ptrdiff_t>(row * width), width,
              dense.begin() + static_cast<std::ptrdiff_t>((row + 4) * width));
  labels[row + 4] = labels[row];
  for (std::size_t i = 0; i < 100; ++i) dense[i * width + i % width] = i % 2 ? 0.0F : -0.0F;
  std::vector<float> query_weights(parts.qids.size(), 1.0F);
  query_weights[2] = 0.5F;
  parts.dense = std::move(dense);
  parts.labels = std::move(labels);
  parts.query_weights = std::move(query_weights);
  return Dataset(std::move(parts));
}

class ContentContract : public ::testing::TestWithParam<std::string> {
 protected:
  TrainingSpec spec() const {
    TrainingSpec spec{.learner = GetParam()};
    spec.measures = parse_measures("nDCG@10", spec.convention);
    return spec;
  }
  std::string model_of(const Dataset& train_data, const Dataset& valid) const {
    Bench bench(2);
    return to_json(train(spec(), train_data, &valid, bench.context));
  }
  // The last rank has most queries.
  std::string model_of_ranks(const Dataset& train_data, const Dataset& valid) const {
    std::vector<std::string> files(2);
    run_in_threads(2, [&](Communicator& comm) {
      ThreadPool pool(1);
      Observer silent;
      Context context{1, pool, comm, silent};
      const Dataset mine = share(train_data, comm), also_mine = share(valid, comm);
      files[static_cast<std::size_t>(comm.rank())] =
          to_json(train(spec(), mine, &also_mine, context));
    });
    EXPECT_EQ(files[0], files[1]);
    return files[0];
  }
  static Dataset share(const Dataset& data, const Communicator& comm) {
    const std::size_t cut = data.queries() / 3;
    return comm.rank() == 0 ? query_range(data, 0, cut) : query_range(data, cut, data.queries());
  }

  const Dataset train_data = training_data();
  const Dataset valid_data = noisy_linear(20, 15, 6, 2);
};

TEST_P(ContentContract, NamesAndOrderChangeNoByte) {
  const std::string model = model_of(rearranged(train_data, {}), rearranged(valid_data, {}));
  const auto expect_same = [&](const std::string& what, const Shuffle& how) {
    EXPECT_EQ(model_of(rearranged(train_data, how), rearranged(valid_data, how)), model) << what;
  };
  const Name other = [](std::size_t q) { return "another name " + std::to_string(3 * q); };
  expect_same("other names", {.name = other});
  // As by group sizes, which have no names.
  expect_same("no names", {.name = [](std::size_t) { return ""; }});
  expect_same("shuffled rows", {.rows = true});
  expect_same("shuffled queries", {.queries = true});
  const Shuffle all{.queries = true, .rows = true, .name = other};
  EXPECT_EQ(model_of_ranks(rearranged(train_data, all), rearranged(valid_data, all)), model);
}

// Options by which something is drawn, and data with weights and initial scores.
std::vector<TrainingSpec> drawing_specs() {
  const auto with_loss = [](const std::string& learner, std::string_view loss) {
    TrainingSpec spec{.learner = learner};
    if (learner == "boosting") spec.options = {{"trees", "5"}};
    spec.loss = parse_loss(loss);
    return spec;
  };
  std::vector<TrainingSpec> specs = {
      {.learner = "lambdamart",
       .options = {{"trees", "20"}, {"query-fraction", "0.5"}, {"feature-fraction", "0.5"}}},
      {.learner = "lambdamart",
       .options = {{"trees", "5"}, {"bag", "2"}, {"noise", "0.5"}, {"noise-draws", "2"}}},
      {.learner = "lambdamart", .options = {{"trees", "12"}, {"dart", "0.3"}}},
      {.learner = "lambdamart",
       .options = {{"trees", "8"}, {"oblivious", "true"}, {"query-fraction", "0.7"}}},
      {.learner = "directrank-trees", .options = {{"trees", "5"}, {"query-fraction", "0.5"}}},
      with_loss("boosting", "xendcg(gamma=drawn)"),
      with_loss("boosting", "listmle(ties=permute)"),
      with_loss("boosting", "softmax@3"),
      with_loss("linear", "softmax@3"),
      {.learner = "linear", .preparation = {.normalize = Normalization::query_zscore}}};
  for (TrainingSpec& spec : specs) spec.measures = parse_measures("nDCG@10", spec.convention);
  return specs;
}

std::vector<double> initial_scores(const Dataset& data) {
  std::vector<double> scores;
  for (std::size_t d = 0; d < data.documents(); ++d)
    scores.push_back(data.rows(d, d + 1).dense(0)[1] > 0.5F ? 0.25 : -0.1);
  return scores;
}

TEST(Content, DecidesWhatIsDrawn) {
  const Dataset plain = training_data();
  DatasetParts parts = plain.parts();
  std::vector<float> weights;
  for (const float label : plain.labels())
    weights.push_back(label + static_cast<float>(weights.size() % 3 + 1));
  parts.document_weights = std::move(weights);
  const Dataset data(std::move(parts));
  const Shuffle all{
      .queries = true, .rows = true, .name = [](std::size_t q) { return std::to_string(q); }};
  const Dataset one = rearranged(data, {}), other = rearranged(data, all);
  for (TrainingSpec spec : drawing_specs())
    for (const bool started : {false, true}) {
      Bench bench;
      const auto model = [&](const Dataset& on) {
        if (started) spec.start = TrainingSpec::StartScores{initial_scores(on), {}};
        return to_json(train(spec, on, nullptr, bench.context));
      };
      EXPECT_EQ(model(one), model(other)) << spec.learner << ' ' << started;
    }
}

// Otherwise the suite would also pass if nothing was drawn.
TEST(Content, ModelsStillDependOnTheSeed) {
  const TrainingSpec spec = drawing_specs()[0];
  Bench bench;
  Context other = bench.context;
  other.seed = 2;
  EXPECT_NE(to_json(train(spec, training_data(), nullptr, bench.context)),
            to_json(train(spec, training_data(), nullptr, other)));
}

INSTANTIATE_TEST_SUITE_P(Catalogue, ContentContract,
                         ::testing::ValuesIn(testing::row_names(learners())), testing::test_name);

}  // namespace
}  // namespace podium::content_contract_test

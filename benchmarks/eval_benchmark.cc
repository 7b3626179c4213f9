// Ten measures on MSLR-shaped lists: how long evaluation takes a document, with scores all
// different (a linear model) and with many ties (a small forest).
#include <array>
#include <memory>

#include <benchmark/benchmark.h>

#include "core/random.h"
#include "podium/evaluator.h"

namespace podium {
namespace {

constexpr std::size_t kQueries = 5000, kDocuments = 120;
constexpr std::string_view kTen = "nDCG@1,nDCG@5,nDCG@10,nDCG,AP,RR,ERR@10,P@10,AUC,PairAcc";

struct Lists {
  std::vector<std::uint64_t> begin;
  std::vector<float> labels;
  std::vector<double> scores;
};

// Grades as rare as in MSLR-WEB30K; `levels` different scores, 0 for all different.
Lists make_lists(std::uint64_t levels) {
  Random random(1);
  Lists lists;
  constexpr std::array<double, 4> kBelow = {0.52, 0.84, 0.97, 0.99};
  for (std::size_t i = 0; i < kQueries * kDocuments; ++i) {
    if (i % kDocuments == 0) lists.begin.push_back(i);
    const double u = random.uniform();
    float grade = 0;
    for (const double below : kBelow) grade += u >= below;
    lists.labels.push_back(grade);
    const double noise = random.uniform() * 3;
    lists.scores.push_back(levels ? static_cast<double>(random.below(levels)) : grade + noise);
  }
  lists.begin.push_back(kQueries * kDocuments);
  return lists;
}

void evaluate_lists(benchmark::State& state, const char* convention_name) {
  const Lists lists = make_lists(static_cast<std::uint64_t>(state.range(0)));
  const Convention& convention = find_convention(convention_name);
  const Evaluator evaluator(parse_measures(kTen, convention), convention);
  ThreadPool pool(1);
  const auto comm = make_local_communicator();
  Observer observer;
  Context context{1, pool, *comm, observer};
  for (auto _ : state)
    benchmark::DoNotOptimize(evaluator.evaluate(
        {.query_begin = lists.begin, .labels = lists.labels, .scores = lists.scores}, context));
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * lists.labels.size()));
}

BENCHMARK_CAPTURE(evaluate_lists, podium, "podium")
    ->Arg(0)
    ->Arg(30)
    ->Arg(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(evaluate_lists, letor, "letor")->Arg(0)->Arg(30)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace podium

BENCHMARK_MAIN();

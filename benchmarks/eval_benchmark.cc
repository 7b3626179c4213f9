// Ten measures on MSLR-shaped lists: evaluation time per document, with distinct scores (a linear
// model) and with many ties (a small forest). Also TREC files with a thousand documents per topic,
// the run in score order: time to read a line and to evaluate a document.
#include <algorithm>
#include <array>
#include <memory>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "core/random.h"
#include "measures/trec_reader.h"
#include "podium/evaluator.h"
#include "podium/trec.h"

namespace podium {
namespace {

constexpr std::size_t kQueries = 5000, kDocuments = 120;
constexpr std::string_view kTen = "nDCG@1,nDCG@5,nDCG@10,nDCG,AP,RR,ERR@10,P@10,AUC,PairAcc";

struct Lists {
  std::vector<std::uint64_t> begin;
  std::vector<float> labels;
  std::vector<double> scores;
};

// Grades with the frequencies of MSLR-WEB30K; `levels` distinct scores, 0: all distinct.
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

// A context with one thread.
struct Workbench {
  ThreadPool pool{1};
  std::unique_ptr<Communicator> comm = make_local_communicator();
  Observer observer;
  Context context{1, pool, *comm, observer};
};

void evaluate_lists(benchmark::State& state, const char* convention_name) {
  const Lists lists = make_lists(static_cast<std::uint64_t>(state.range(0)));
  const Convention& convention = find_convention(convention_name);
  const Evaluator evaluator(parse_measures(kTen, convention), convention);
  Workbench bench;
  for (auto _ : state)
    benchmark::DoNotOptimize(evaluator.evaluate(
        {.query_begin = lists.begin, .labels = lists.labels, .scores = lists.scores},
        bench.context));
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * lists.labels.size()));
}

BENCHMARK_CAPTURE(evaluate_lists, podium, "podium")
    ->Arg(0)
    ->Arg(30)
    ->Arg(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(evaluate_lists, letor, "letor")->Arg(0)->Arg(30)->Unit(benchmark::kMillisecond);

constexpr std::size_t kTopics = 300, kTopicDocuments = 1000;

struct TrecTexts {
  std::string run, qrels;
};

TrecTexts make_trec_texts() {
  Random random(2);
  TrecTexts texts;
  for (std::size_t q = 0; q < kTopics; ++q) {
    std::vector<std::pair<double, std::size_t>> ranking;
    for (std::size_t d = 0; d < kTopicDocuments; ++d) {
      const std::uint64_t grade = random.below(4);
      ranking.emplace_back(static_cast<double>(grade) + 3 * random.uniform(), d);
      texts.qrels += fmt::format("q{} 0 d{} {}\n", q, d, grade);
    }
    std::sort(ranking.rbegin(), ranking.rend());
    for (const auto& [score, d] : ranking)
      texts.run += fmt::format("q{} Q0 d{} 0 {:.9g} r\n", q, d, score);
  }
  return texts;
}

void read_trec_file(benchmark::State& state, std::string TrecTexts::*which,
                    const TrecFormat& format) {
  const TrecTexts texts = make_trec_texts();
  Workbench bench;
  for (auto _ : state)
    benchmark::DoNotOptimize(
        read_trec(*text_in_memory(texts.*which, {}), "text", format, bench.context));
  state.SetItemsProcessed(
      static_cast<std::int64_t>(state.iterations() * kTopics * kTopicDocuments));
}

void evaluate_trec_run(benchmark::State& state) {
  const TrecTexts texts = make_trec_texts();
  Workbench bench;
  const TrecFile run = read_trec(*text_in_memory(texts.run, {}), "run", kRunFormat, bench.context);
  const TrecFile qrels =
      read_trec(*text_in_memory(texts.qrels, {}), "qrels", kQrelsFormat, bench.context);
  const Convention& convention = find_convention("trec");
  const Evaluator evaluator(
      parse_measures("nDCG@1,nDCG@5,nDCG@10,nDCG,AP,RR,P@5,P@10,R@100,Rprec", convention),
      convention);
  for (auto _ : state)
    benchmark::DoNotOptimize(evaluate_run(evaluator, qrels, run, Topics::in_both, bench.context));
  state.SetItemsProcessed(
      static_cast<std::int64_t>(state.iterations() * kTopics * kTopicDocuments));
}

BENCHMARK_CAPTURE(read_trec_file, run, &TrecTexts::run, kRunFormat)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_trec_file, qrels, &TrecTexts::qrels, kQrelsFormat)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(evaluate_trec_run)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace podium

BENCHMARK_MAIN();

// The exact line search: the walk against sorting the same lists, both kinds of walk and a round
// over all features against exhaustive searches of all pairs, the number of jumping points per
// query by list length, and a cyclic round over MSLR-shaped data.
//   line_search_benchmark [QUERIES|FILE [THREADS]]
// for the round; 6000 queries are 720,000 documents.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>

#include <fmt/format.h>

#include "core/random.h"
#include "core/sort_scores.h"
#include "line_search/exact_line_search.h"
#include "line_search_baselines.h"
#include "line_search_climb.h"
#include "podium/data_io.h"
#include "podium/synthetic.h"

namespace podium {
namespace {

struct Bench {
  explicit Bench(int threads)
      : pool(threads), comm(make_local_communicator()), context{1, pool, *comm, observer} {}
  ThreadPool pool;
  std::unique_ptr<Communicator> comm;
  Observer observer;
  Context context;
};

// Processor time of all threads: ratios do not depend on the load of the machine.
template <class Work>
double seconds(Work&& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

// The fastest of five.
template <class Work>
double best_seconds(Work&& work) {
  double best = seconds(work);
  for (int i = 0; i < 4; ++i) best = std::min(best, seconds(work));
  return best;
}

struct Lists {
  Dataset data;
  std::vector<double> base, direction;
};

// Documents whose score and feature are both correlated with the grade, with noise.
Lists make_lists(std::size_t queries, std::size_t documents, double relevant_share) {
  Random random(documents);
  DatasetParts parts;
  std::vector<std::uint64_t> begin = {0};
  std::vector<std::string> qids;
  std::vector<float> labels;
  Lists lists;
  for (std::size_t q = 0; q < queries; ++q) {
    begin.push_back(begin.back() + documents);
    qids.push_back(std::to_string(q));
    for (std::size_t i = 0; i < documents; ++i) {
      const bool relevant = random.uniform() < relevant_share;
      labels.push_back(relevant ? static_cast<float>(1 + random.below(4)) : 0.0F);
      lists.base.push_back(random.uniform() + random.uniform() + 0.1 * labels.back());
      lists.direction.push_back(random.uniform() + random.uniform() + 0.1 * labels.back());
    }
  }
  parts.query_begin = std::move(begin);
  parts.qids = make_strings(qids);
  parts.labels = std::move(labels);
  lists.data = Dataset(std::move(parts));
  return lists;
}

void against_sort(std::size_t documents, Context& context) {
  const Lists lists = make_lists(240'000 / documents, documents, 0.4);
  const ExactLineSearch search(lists.data, parse_measure("nDCG@10", {}), {}, context);
  LineSearchResult result;
  const double walk = best_seconds([&] {
    result = search.search({lists.base, lists.direction}, context);
  });
  std::vector<ScoreKey> keys;
  std::uint64_t seen = 0;
  const double sort = best_seconds([&] {
    for (std::size_t q = 0; q < lists.data.queries(); ++q) {
      keys.clear();
      for (std::size_t i = lists.data.begin(q); i < lists.data.end(q); ++i)
        keys.push_back({descending_key(lists.base[i]), static_cast<std::uint32_t>(keys.size())});
      sort_keys(keys);
      seen += keys[0].place;
    }
  });
  const auto all = static_cast<double>(lists.data.documents());
  fmt::print("lists of {:4}: walk at 10 {:5.1f} ns a document, sort {:5.1f}: {:.2f} times ({})\n",
             documents, walk / all * 1e9, sort / all * 1e9, walk / sort, seen % 2);
}

// The time of the naive search of one list; its evaluations are timed at some crossings.
struct NaiveTime {
  double seconds;
  std::size_t timed, crossings;
};

template <class State>
NaiveTime time_naive(std::span<const double> b, std::span<const double> a, std::size_t timed,
                     State state) {
  std::vector<PairCrossing> crossings;
  const double sort = seconds([&] { crossings = sorted_crossings(b, a); });
  const std::size_t stride = crossings.size() / timed + 1;
  double best = 0;
  const double evaluate = seconds([&] { best = search_naively(b, a, crossings, stride, state); });
  const std::size_t done = (crossings.size() + stride - 1) / stride;
  if (!(best > 0)) fmt::print("the naive search found nothing\n");
  const double all = static_cast<double>(crossings.size()) / static_cast<double>(done);
  return {sort + evaluate * all, done, crossings.size()};
}

template <class MakeState>
void against_exhaustive(const char* measure, double relevant_share, MakeState&& make_state,
                        Context& context) {
  constexpr std::size_t kDocuments = 1000, kQueries = 8, kTimed = 4000;
  const Lists lists = make_lists(kQueries, kDocuments, relevant_share);
  const auto base_of = [&](std::size_t q) {
    return std::span(lists.base).subspan(q * kDocuments, kDocuments);
  };
  const auto direction_of = [&](std::size_t q) {
    return std::span(lists.direction).subspan(q * kDocuments, kDocuments);
  };
  const ExactLineSearch search(lists.data, parse_measure(measure, {}), {}, context);
  LineSearchResult result;
  const double ours = best_seconds([&] {
                        result = search.search({lists.base, lists.direction}, context);
                      }) /
                      kQueries;
  double sum = 0;
  const double theirs =
      best_seconds([&] {
        sum = 0;
        for (std::size_t q = 0; q < kQueries; ++q)
          sum += search_all_pairs(base_of(q), direction_of(q), make_state(lists.data.labels(q)));
      }) /
      kQueries;
  const std::string work =
      fmt::format("{:7} over lists of {}, {:2.0f} % relevant: {:6.3f} ms a list", measure,
                  kDocuments, relevant_share * 100, ours * 1e3);
  const NaiveTime naive =
      time_naive(base_of(0), direction_of(0), kTimed, make_state(lists.data.labels(0)));
  fmt::print("{}, naive {:.0f} ms, estimated from {} of {} crossings: {:.0f} times faster\n", work,
             naive.seconds * 1e3, naive.timed, naive.crossings, naive.seconds / ours);
  fmt::print(
      "{}, all pairs {:6.2f} ms: {:.1f} times faster (best of all lists {:.3f}, mean of each "
      "list's "
      "{:.3f})\n",
      work, theirs * 1e3, theirs / ours, result.best.value, sum / kQueries);
}

void jumping_points(Context& context) {
  fmt::print("jumping points a query, nDCG@5:\n  documents ");
  std::string counts = "  jumps     ", share = "  a document";
  for (const std::size_t documents : {50, 100, 200, 500, 1000}) {
    const Lists lists = make_lists(200, documents, 0.4);
    const ExactLineSearch search(lists.data, parse_measure("nDCG@5", {}), {}, context);
    const double jumps =
        static_cast<double>(search.search({lists.base, lists.direction}, context).jumps) / 200;
    fmt::print("{:8}", documents);
    counts += fmt::format("{:8.1f}", jumps);
    share += fmt::format("{:8.3f}", jumps / static_cast<double>(documents));
  }
  fmt::print("\n{}\n{}\n", counts, share);
}

// Searches every feature's weight in turn: processor seconds.
double round(const Dataset& data, const char* measure, Bench& bench) {
  Climb climb(data);
  const MeasurePtr target = parse_measure(measure, {});
  const ExactLineSearch search(data, target, {}, bench.context);
  const double first = evaluate(target, {}, data, climb.scores, bench.context);
  double value = first, jumps = 0;
  const auto start = std::chrono::steady_clock::now();
  const double took = seconds([&] {
    for (std::size_t f = 0; f < climb.features; ++f) {
      climb.aim_at(f, bench.pool);
      const LineSearchResult found = search.search(
          {.base = climb.base, .direction = climb.direction, .current = climb.weights[f]},
          bench.context);
      jumps += static_cast<double>(found.jumps);
      value = found.best.value;
      if (!found.holds_current) climb.step_to(f, found.middle, bench.pool);
    }
  });
  const double wall =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const double work = static_cast<double>(climb.documents * climb.features);
  fmt::print(
      "one round, {} documents x {} features, {} threads: {:.1f} s, {:.1f} s of the "
      "processor, {:.1f} million document-features per second and thread ({:.1f} ns), {:.1f} jumps "
      "per query, {} {:.4f} to {:.4f}, evaluated {:.4f}\n",
      climb.documents, climb.features, bench.pool.threads(), wall, took, work / took * 1e-6,
      took / work * 1e9, jumps / static_cast<double>(data.queries() * climb.features), measure,
      first, value, evaluate(target, {}, data, climb.scores, bench.context));
  return took;
}

// A round over long lists, against the naive search of one of them for some features.
template <class MakeState>
void round_against_naive(const char* measure, MakeState&& make_state, Bench& bench) {
  constexpr std::size_t kDocuments = 1000, kQueries = 8, kTimed = 500, kEveryFeature = 17;
  const Dataset data = make_synthetic(
      {.preset = SyntheticPreset::mslr, .queries = kQueries, .docs = kDocuments}, bench.context);
  const double ours = round(data, measure, bench);
  Climb climb(data);
  std::size_t q = 0;  // the list with the closest length
  const auto is_off_by = [&](std::size_t i) {
    return std::abs(static_cast<double>(data.end(i) - data.begin(i)) - kDocuments);
  };
  for (std::size_t i = 1; i < data.queries(); ++i)
    if (is_off_by(i) < is_off_by(q)) q = i;
  const std::size_t length = data.end(q) - data.begin(q);
  double naive = 0;
  std::size_t timed = 0, crossings = 0, searches = 0;
  for (std::size_t f = 0; f < climb.features; f += kEveryFeature, ++searches) {
    climb.aim_at(f, bench.pool);
    const NaiveTime one = time_naive(std::span(climb.base).subspan(data.begin(q), length),
                                     std::span(climb.direction).subspan(data.begin(q), length),
                                     kTimed, make_state(data.labels(q)));
    naive += one.seconds;
    timed += one.timed;
    crossings += one.crossings;
  }
  naive *= static_cast<double>(climb.features * data.queries()) / static_cast<double>(searches);
  fmt::print(
      "{:7} a round over {} lists of {} on average x {} features: {:.3f} s, naive {:.0f} s, "
      "estimated from {} "
      "of {} crossings along {} features of a list of {}: {:.0f} times faster\n",
      measure, data.queries(), data.documents() / data.queries(), climb.features, ours, naive,
      timed, crossings, searches, length, naive / ours);
}

}  // namespace
}  // namespace podium

int main(int argc, char** argv) {
  using namespace podium;
  Bench bench(1);
  for (const std::size_t documents : {10, 20, 30, 50, 80, 120, 200, 500, 1000})
    against_sort(documents, bench.context);
  const auto ndcg = [](std::span<const float> labels) { return NaiveNdcg(labels, 10); };
  against_exhaustive("nDCG@10", 0.4, ndcg, bench.context);
  const auto precision = [](std::span<const float> labels) { return NaivePrecision(labels); };
  for (const double share : {0.1, 0.2, 0.4})
    against_exhaustive("AP", share, precision, bench.context);
  round_against_naive("nDCG@10", ndcg, bench);
  round_against_naive("AP", precision, bench);
  jumping_points(bench.context);
  const std::string data = argc > 1 ? argv[1] : "500";
  Bench threads(argc > 2 ? std::atoi(argv[2]) : 2);
  const bool is_count = data.find_first_not_of("0123456789") == std::string::npos;
  round(is_count
            ? make_synthetic({.preset = SyntheticPreset::mslr, .queries = std::atoll(data.c_str())},
                             threads.context)
            : read_dataset(data, {}, threads.context),
        "nDCG@10", threads);
}

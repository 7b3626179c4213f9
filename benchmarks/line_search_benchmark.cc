// The exact line search: a cyclic round over MSLR-shaped data, the walk against a sort of the same
// lists, whole lists against all pairs sorted, and the jumping points a query by length of list.
//   line_search_benchmark [QUERIES [THREADS]]     of the round; 6000 queries are 720,000 documents
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>

#include <fmt/format.h>

#include "core/random.h"
#include "core/sort_scores.h"
#include "learners/line_search/exact_line_search.h"
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

// Of the processor, all threads together: ratios do not depend on who else is busy.
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

// Documents whose score and feature both follow the grade, with noise.
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

// Enumerates all pairs of one list, sorts their crossings, and swaps from left to right, with the
// closed form of a swap of neighbours in average precision.
double all_pairs_average_precision(std::span<const double> b, std::span<const double> a,
                                   std::span<const float> labels) {
  struct Crossing {
    double alpha;
    std::uint32_t i, j;
  };
  const std::size_t n = b.size();
  std::vector<std::uint32_t> order(n), rank(n);
  for (std::uint32_t i = 0; i < n; ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](auto i, auto j) { return a[i] < a[j]; });
  std::vector<Crossing> crossings;
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = i + 1; j < n; ++j)
      crossings.push_back({(b[i] - b[j]) / (a[j] - a[i]), i, j});
  std::sort(crossings.begin(), crossings.end(),
            [](const Crossing& x, const Crossing& y) { return x.alpha < y.alpha; });
  double relevant = 0, sum = 0;
  std::vector<double> found(n);  // relevant documents up to a rank
  for (std::uint32_t r = 0; r < n; ++r) {
    rank[order[r]] = r;
    if (labels[order[r]] >= 1) sum += ++relevant / (r + 1);
    found[r] = relevant;
  }
  double best = sum;
  for (const Crossing& crossing : crossings) {
    const std::uint32_t i = crossing.i, j = crossing.j;
    const std::uint32_t r = std::min(rank[i], rank[j]);
    const bool upper = labels[rank[i] < rank[j] ? i : j] >= 1;
    if (upper != (labels[rank[i] < rank[j] ? j : i] >= 1)) {
      const double count = upper ? found[r] : found[r] + 1;
      sum += (upper ? -1 : 1) * (count / (r + 1) - count / (r + 2));
      found[r] += upper ? -1 : 1;
    }
    std::swap(rank[i], rank[j]);
    best = std::max(best, sum);
  }
  return best / relevant;
}

void against_all_pairs(double relevant_share, Context& context) {
  const Lists lists = make_lists(8, 1000, relevant_share);
  const ExactLineSearch search(lists.data, parse_measure("AP", {}), {}, context);
  LineSearchResult result;
  const double ours = best_seconds([&] {
    result = search.search({lists.base, lists.direction}, context);
  });
  double sum = 0;
  const double theirs = best_seconds([&] {
    for (std::size_t q = 0; q < lists.data.queries(); ++q)
      sum += all_pairs_average_precision(std::span(lists.base).subspan(q * 1000, 1000),
                                         std::span(lists.direction).subspan(q * 1000, 1000),
                                         lists.data.labels(q));
  });
  fmt::print(
      "AP over lists of 1000, {:2.0f} % relevant: {:5.2f} ms a list, all pairs {:6.2f} ms: "
      "{:.1f} times faster ({:.3f} {:.3f})\n",
      relevant_share * 100, ours * 1e3 / 8, theirs * 1e3 / 8, theirs / ours, result.best.value,
      sum);
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

// Every feature's weight in turn, from random weights.
void round(std::int64_t queries, int threads) {
  Bench bench(threads);
  const Dataset data = make_synthetic({.preset = "mslr", .queries = queries}, bench.context);
  const std::size_t documents = data.documents(), features = data.features();
  std::vector<float> columns(documents * features);
  for (std::size_t i = 0; i < documents; ++i) {
    const auto row = data.rows(i, i + 1).dense(0);
    for (std::size_t f = 0; f < features; ++f) columns[f * documents + i] = row[f];
  }
  std::vector<double> scores(documents), base(documents), direction(documents), weights;
  Random random(1);
  for (std::size_t f = 0; f < features; ++f) {
    weights.push_back(random.uniform() - 0.3);
    const float* column = columns.data() + f * documents;
    const double largest = *std::max_element(column, column + documents);
    for (std::size_t i = 0; i < documents; ++i)
      columns[f * documents + i] /= static_cast<float>(std::max(largest, 1.0));
    for (std::size_t i = 0; i < documents; ++i)
      scores[i] += weights[f] * static_cast<double>(column[i]);
  }
  const ExactLineSearch search(data, parse_measure("nDCG@10", {}), {}, bench.context);
  const double first = evaluate(parse_measure("nDCG@10", {}), {}, data, scores, bench.context);
  double value = first, jumps = 0;
  const auto start = std::chrono::steady_clock::now();
  const double took = seconds([&] {
    for (std::size_t f = 0; f < features; ++f) {
      const float* column = columns.data() + f * documents;
      parallel_for(bench.pool, documents, 16384, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          direction[i] = column[i];
          base[i] = scores[i] - weights[f] * direction[i];
        }
      });
      const LineSearchResult found = search.search(
          {.base = base, .direction = direction, .current = weights[f]}, bench.context);
      jumps += static_cast<double>(found.jumps);
      value = found.best.value;
      if (found.holds_current) continue;
      weights[f] = found.middle;
      parallel_for(bench.pool, documents, 16384, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) scores[i] = base[i] + weights[f] * direction[i];
      });
    }
  });
  const double wall =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const double work = static_cast<double>(documents * features);
  fmt::print(
      "one round, {} documents x {} features, {} threads: {:.1f} s, {:.1f} s of the "
      "processor, {:.1f} million document-features a second a thread ({:.1f} ns), {:.1f} jumps a "
      "query, nDCG@10 {:.4f} "
      "to {:.4f}, evaluated {:.4f}\n",
      documents, features, threads, wall, took, work / took * 1e-6, took / work * 1e9,
      jumps / static_cast<double>(data.queries() * features), first, value,
      evaluate(parse_measure("nDCG@10", {}), {}, data, scores, bench.context));
}

}  // namespace
}  // namespace podium

int main(int argc, char** argv) {
  podium::Bench bench(1);
  podium::against_sort(120, bench.context);
  podium::against_sort(1000, bench.context);
  podium::against_all_pairs(0.1, bench.context);
  podium::against_all_pairs(0.2, bench.context);
  podium::against_all_pairs(0.4, bench.context);
  podium::jumping_points(bench.context);
  podium::round(argc > 1 ? std::atoll(argv[1]) : 6000, argc > 2 ? std::atoi(argv[2]) : 2);
}

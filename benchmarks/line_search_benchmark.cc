// The exact line search: the walk against a sort of the same lists, both kinds of walk against an
// exhaustive search of all pairs, the jumping points a query by length of list, and a cyclic round
// over MSLR-shaped data.
//   line_search_benchmark [QUERIES|FILE [THREADS]]    of the round; 6000 queries are 720,000
//   documents
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>

#include <fmt/format.h>

#include "core/random.h"
#include "core/sort_scores.h"
#include "learners/line_search/exact_line_search.h"
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

// The naive search of one list: enumerates all pairs, sorts their crossings, and swaps neighbours
// from left to right; `state` starts with an order and says how a swap at a rank changes the value.
template <class State>
double search_all_pairs(std::span<const double> b, std::span<const double> a, State state) {
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
  for (std::uint32_t r = 0; r < n; ++r) rank[order[r]] = r;
  double value = state.start(order), best = value;
  for (const Crossing& crossing : crossings) {
    const bool first = rank[crossing.i] < rank[crossing.j];
    const std::uint32_t upper = first ? crossing.i : crossing.j;
    const std::uint32_t lower = first ? crossing.j : crossing.i;
    value += state.swap(rank[upper], upper, lower);
    std::swap(rank[upper], rank[lower]);
    best = std::max(best, value);
  }
  return best;
}

// Closed forms of a swap of neighbours.
class NaivePrecision {
 public:
  explicit NaivePrecision(std::span<const float> labels) : labels_(labels), found_(labels.size()) {}

  double start(std::span<const std::uint32_t> order) {
    double sum = 0;
    for (std::size_t r = 0; r < order.size(); ++r) {
      if (labels_[order[r]] >= 1) sum += ++relevant_ / static_cast<double>(r + 1);
      found_[r] = relevant_;
    }
    return sum / relevant_;
  }
  double swap(std::uint32_t rank, std::uint32_t upper, std::uint32_t lower) {
    const bool falls = labels_[upper] >= 1;
    if (falls == (labels_[lower] >= 1)) return 0;
    const double count = falls ? found_[rank] : found_[rank] + 1, sign = falls ? -1 : 1;
    found_[rank] += sign;
    return sign * (count / (rank + 1) - count / (rank + 2)) / relevant_;
  }

 private:
  std::span<const float> labels_;
  std::vector<double> found_;  // relevant documents up to a rank
  double relevant_ = 0;
};

class NaiveNdcg {
 public:
  NaiveNdcg(std::span<const float> labels, std::size_t depth) : labels_(labels) {
    for (std::size_t r = 0; r < labels.size(); ++r)
      discounts_.push_back(r < depth ? 1 / std::log2(static_cast<double>(r) + 2) : 0);
    std::vector<float> ideal(labels.begin(), labels.end());
    std::sort(ideal.rbegin(), ideal.rend());
    for (std::size_t r = 0; r < ideal.size(); ++r) ideal_ += gain(ideal[r]) * discounts_[r];
  }

  double start(std::span<const std::uint32_t> order) const {
    double sum = 0;
    for (std::size_t r = 0; r < order.size(); ++r) sum += gain(labels_[order[r]]) * discounts_[r];
    return sum / ideal_;
  }
  double swap(std::uint32_t rank, std::uint32_t upper, std::uint32_t lower) const {
    return (gain(labels_[lower]) - gain(labels_[upper])) *
           (discounts_[rank] - discounts_[rank + 1]) / ideal_;
  }

 private:
  static double gain(float label) { return std::exp2(label) - 1; }

  std::span<const float> labels_;
  std::vector<double> discounts_;
  double ideal_ = 0;
};

template <class MakeState>
void against_all_pairs(const char* measure, double relevant_share, MakeState&& make_state,
                       Context& context) {
  constexpr std::size_t kDocuments = 1000, kQueries = 8;
  const Lists lists = make_lists(kQueries, kDocuments, relevant_share);
  const ExactLineSearch search(lists.data, parse_measure(measure, {}), {}, context);
  LineSearchResult result;
  const double ours = best_seconds([&] {
    result = search.search({lists.base, lists.direction}, context);
  });
  double sum = 0;
  const double theirs = best_seconds([&] {
    sum = 0;
    for (std::size_t q = 0; q < kQueries; ++q)
      sum += search_all_pairs(std::span(lists.base).subspan(q * kDocuments, kDocuments),
                              std::span(lists.direction).subspan(q * kDocuments, kDocuments),
                              make_state(lists.data.labels(q)));
  });
  fmt::print(
      "{:7} over lists of {}, {:2.0f} % relevant: {:6.3f} ms a list, all pairs {:6.2f} ms: {:.1f} "
      "times faster (best together {:.3f}, mean of each list's {:.3f})\n",
      measure, kDocuments, relevant_share * 100, ours * 1e3 / kQueries, theirs * 1e3 / kQueries,
      theirs / ours, result.best.value, sum / kQueries);
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
void round(const Dataset& data, Bench& bench) {
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
      documents, features, bench.pool.threads(), wall, took, work / took * 1e-6, took / work * 1e9,
      jumps / static_cast<double>(data.queries() * features), first, value,
      evaluate(parse_measure("nDCG@10", {}), {}, data, scores, bench.context));
}

}  // namespace
}  // namespace podium

int main(int argc, char** argv) {
  using namespace podium;
  Bench bench(1);
  for (const std::size_t documents : {10, 20, 30, 50, 80, 120, 200, 500, 1000})
    against_sort(documents, bench.context);
  const auto ndcg = [](std::span<const float> labels) { return NaiveNdcg(labels, 10); };
  against_all_pairs("nDCG@10", 0.4, ndcg, bench.context);
  const auto precision = [](std::span<const float> labels) { return NaivePrecision(labels); };
  for (const double share : {0.1, 0.2, 0.4})
    against_all_pairs("AP", share, precision, bench.context);
  jumping_points(bench.context);
  const std::string data = argc > 1 ? argv[1] : "500";
  Bench threads(argc > 2 ? std::atoi(argv[2]) : 2);
  const bool is_count = data.find_first_not_of("0123456789") == std::string::npos;
  round(is_count ? make_synthetic({.preset = "mslr", .queries = std::atoll(data.c_str())},
                                  threads.context)
                 : read_dataset(data, {}, threads.context),
        threads);
}

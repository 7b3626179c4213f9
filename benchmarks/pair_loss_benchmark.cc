// Pair losses on lists shaped like MSLR-WEB: 6,000 queries of 120 documents with its grades. For
// each loss the time of one pass over all queries per pair of different grades, against the plain
// loop over the same pairs with std::exp and std::log1p, in the same run; then one query of 10,000
// documents.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "core/random.h"
#include "core/vector_target.h"
#include "losses/pairwise/pair_kernels.h"
#include "podium/evaluator.h"
#include "podium/loss.h"

namespace podium {
namespace {

struct Lists {
  Dataset data;
  std::vector<double> scores;
};

Lists make_lists(std::size_t queries, std::size_t documents) {
  Random random(1);
  constexpr double kShares[] = {0.52, 0.84, 0.97, 0.99, 1};  // of grades 0 … 4, cumulative
  DatasetParts parts;
  std::vector<std::uint64_t> begin = {0};
  std::vector<std::string> qids;
  std::vector<float> labels;
  std::vector<double> scores;
  for (std::size_t q = 0; q < queries; ++q) {
    qids.push_back(std::to_string(q));
    for (std::size_t i = 0; i < documents; ++i) {
      const double u = random.uniform();
      labels.push_back(static_cast<float>(std::lower_bound(kShares, kShares + 4, u) - kShares));
      scores.push_back(0.5 * labels.back() + 3 * random.uniform());
    }
    begin.push_back(labels.size());
  }
  parts.query_begin = std::move(begin);
  parts.qids = make_strings(qids);
  parts.labels = std::move(labels);
  return {Dataset(std::move(parts)), std::move(scores)};
}

enum class Weight { one, ndcg };

// The obvious loop, with |ΔnDCG| or 1 as the weight of a pair; returns the number of pairs.
double plain_pass(const Lists& lists, std::size_t truncation, Weight weight,
                  std::vector<double>& first, std::vector<double>& second) {
  double pairs = 0, value = 0;
  for (std::size_t q = 0; q < lists.data.queries(); ++q) {
    const std::size_t begin = lists.data.begin(q), n = lists.data.end(q) - begin;
    const auto labels = lists.data.labels(q);
    const double* const s = lists.scores.data() + begin;
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return s[a] > s[b]; });
    std::vector<float> ideal(labels.begin(), labels.end());
    std::sort(ideal.begin(), ideal.end(), std::greater<>());
    double best = 0;
    for (std::size_t r = 0; r < n; ++r)
      best += (std::exp2(ideal[r]) - 1) / std::log2(static_cast<double>(r + 2));
    std::fill_n(first.begin() + static_cast<std::ptrdiff_t>(begin), n, 0.0);
    std::fill_n(second.begin() + static_cast<std::ptrdiff_t>(begin), n, 0.0);
    std::vector<double> gain(n), discount(n);
    for (std::size_t r = 0; r < n; ++r) {
      gain[r] = (std::exp2(labels[order[r]]) - 1) / best;
      discount[r] = 1 / std::log2(static_cast<double>(r + 2));
    }
    for (std::size_t r = 0; r < std::min(n, truncation); ++r)
      for (std::size_t t = r + 1; t < n; ++t) {
        std::size_t i = order[r], j = order[t];
        if (labels[i] == labels[j]) continue;
        if (labels[i] < labels[j]) std::swap(i, j);
        const double w = weight == Weight::ndcg
                             ? std::abs((gain[r] - gain[t]) * (discount[r] - discount[t]))
                             : 1;
        const double x = s[i] - s[j], p = 1 / (1 + std::exp(x));
        value += w * std::log1p(std::exp(-x));
        first[begin + i] -= w * p;
        first[begin + j] += w * p;
        second[begin + i] += w * p * (1 - p);
        second[begin + j] += w * p * (1 - p);
        ++pairs;
      }
  }
  return value > 0 ? pairs : 0;
}

template <class Run>
double best_seconds(int repeats, const Run& run) {
  double best = 1e300;
  for (int i = 0; i < repeats; ++i) {
    const auto start = std::chrono::steady_clock::now();
    run();
    best = std::min(
        best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

double pass_seconds(const Lists& lists, std::string_view name, int repeats) {
  const auto bound = parse_loss(name)->bind(lists.data);
  std::vector<double> first(lists.scores.size()), second(first);
  return best_seconds(repeats, [&] {
    for (std::size_t q = 0; q < lists.data.queries(); ++q) {
      const std::size_t begin = lists.data.begin(q), n = lists.data.end(q) - begin;
      bound->evaluate(q, std::span(lists.scores).subspan(begin, n),
                      {std::span(first).subspan(begin, n), std::span(second).subspan(begin, n)});
    }
  });
}

void measure() {
  fmt::print("kernels: {}\n", vector_target_name(vector_target()));
  const Lists lists = make_lists(6000, 120);
  std::vector<double> first(lists.scores.size()), second(first);
  double top_pairs = 0, all_pairs = 0;
  const double top =
      best_seconds(2, [&] { top_pairs = plain_pass(lists, 30, Weight::ndcg, first, second); });
  const double all =
      best_seconds(1, [&] { all_pairs = plain_pass(lists, 120, Weight::one, first, second); });
  fmt::print("plain loop, |ΔnDCG|, top 30   {:7.1f} ms {:6.2f} ns a pair of {:.3g}\n", top * 1e3,
             top * 1e9 / top_pairs, top_pairs);
  fmt::print("plain loop, all pairs         {:7.1f} ms {:6.2f} ns a pair of {:.3g}\n", all * 1e3,
             all * 1e9 / all_pairs, all_pairs);
  const auto report = [&](std::string_view name, double pairs, double plain) {
    const double seconds = pass_seconds(lists, name, 3);
    fmt::print("{:<29} {:7.1f} ms {:6.2f} ns a pair, {:5.1f} x the plain loop\n", name,
               seconds * 1e3, seconds * 1e9 / pairs, plain / seconds);
  };
  for (const char* name : {"lambda-ndcg", "lambda-ndcg(norm=none)", "lambda-ap", "lambda-rr",
                           "lambda-err", "lambda-rbp", "lambdaloss"})
    report(name, top_pairs, top);
  for (const char* name : {"logistic-pairs", "exponential-pairs", "fidelity-pairs", "hinge-pairs",
                           "gbrank", "margin-pairs", "lambda-ndcg(truncation=0)"})
    report(name, all_pairs, all);
  const Lists one = make_lists(1, 10000);
  for (const char* name : {"logistic-pairs", "gbrank", "lambda-ndcg(truncation=0)", "lambda-ndcg"})
    fmt::print("one query of 10,000: {:<29} {:7.1f} ms\n", name, pass_seconds(one, name, 3) * 1e3);
}

}  // namespace
}  // namespace podium

int main() {
  podium::measure();
}

#include "oracles/partial_order.h"

#include "core/sort_scores.h"

namespace podium {
namespace {

void sort_by_score(std::span<const std::uint32_t> documents, std::span<const double> scores,
                   std::vector<std::uint32_t>& order, std::vector<double>& sorted) {
  std::vector<ScoreKey> keys;
  keys.reserve(documents.size());
  for (const std::uint32_t i : documents) keys.push_back({descending_key(scores[i]), i});
  sort_keys(keys);
  order.reserve(keys.size());
  sorted.reserve(keys.size());
  for (const ScoreKey& key : keys) {
    order.push_back(key.place);
    sorted.push_back(score_of(key.score));
  }
}

std::vector<double> prefix_sums(std::span<const double> values) {
  std::vector<double> sums(values.size() + 1);
  for (std::size_t i = 0; i < values.size(); ++i) sums[i + 1] = sums[i] + values[i];
  return sums;
}

}  // namespace

void average_ties(std::span<const std::uint32_t> documents, std::span<const double> scores,
                  std::span<double> c) {
  for (std::size_t begin = 0, end = 0; begin < documents.size(); begin = end) {
    double sum = c[documents[begin]];
    for (end = begin + 1; end < documents.size() && scores[end] == scores[begin]; ++end)
      sum += c[documents[end]];
    if (end - begin == 1) continue;
    for (std::size_t i = begin; i < end; ++i)
      c[documents[i]] = sum / static_cast<double>(end - begin);
  }
}

SortedQuery::SortedQuery(const OracleQuery& query, std::span<const double> scores) {
  sort_by_score(query.good, scores, good, good_score);
  sort_by_score(query.bad, scores, bad, bad_score);
}

PartialOrder::PartialOrder(const OracleQuery& query, std::span<const double> scores)
    : sorted_(query, scores),
      gamma_(2.0 / (static_cast<double>(goods()) * static_cast<double>(bads()))),
      good_sum_(prefix_sums(sorted_.good_score)),
      bad_sum_(prefix_sums(sorted_.bad_score)) {}

std::vector<std::uint32_t> PartialOrder::natural_columns() const {
  std::vector<std::uint32_t> columns(goods());
  std::size_t b = 0;
  for (std::size_t g = 0; g < goods(); ++g) {
    while (b < bads() && sorted_.bad_score[b] > sorted_.good_score[g]) ++b;
    columns[g] = static_cast<std::uint32_t>(b);
  }
  return columns;
}

void PartialOrder::coefficients(std::span<const std::uint32_t> columns, std::span<double> c) const {
  std::size_t g = 0;  // first good with more than b bads above it
  for (std::size_t b = 0; b < bads(); ++b) {
    while (g < goods() && columns[g] <= b) ++g;
    c[sorted_.bad[b]] = -gamma_ * static_cast<double>(goods() - g);
  }
  for (std::size_t i = 0; i < goods(); ++i)
    c[sorted_.good[i]] = gamma_ * static_cast<double>(columns[i]);
  average_ties(sorted_.good, sorted_.good_score, c);
  average_ties(sorted_.bad, sorted_.bad_score, c);
}

void PartialOrderOracle::by_score(const OracleQuery& query, std::span<const double> scores,
                                  std::span<double> c) const {
  const PartialOrder order(query, scores);
  order.coefficients(order.natural_columns(), c);
}

std::vector<std::uint32_t> columns_from_bads(std::span<const std::uint32_t> first,
                                             std::size_t goods) {
  std::vector<std::uint32_t> columns(goods);
  std::size_t above = 0;
  for (std::size_t g = 0; g < goods; ++g) {
    while (above < first.size() && first[above] <= g) ++above;
    columns[g] = static_cast<std::uint32_t>(above);
  }
  return columns;
}

}  // namespace podium

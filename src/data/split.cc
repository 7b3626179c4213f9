// Splits by query. Queries are sorted into strata by their best grade, shuffled inside each, and
// assigned one after the other to the part that is furthest behind its share: the parts' sizes,
// over all and within a stratum, stay within a query or so of the exact proportions.
#include "podium/split.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "core/counted.h"
#include "core/random.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr std::uint64_t kStream = 0x73706C6974;  // "split": the streams used here
constexpr std::size_t kMostStrata = 20;          // real labels are cut into this many

float best_label(const Dataset& data, std::size_t q) {
  const auto labels = data.labels(q);
  return labels.empty() ? -std::numeric_limits<float>::infinity()
                        : *std::max_element(labels.begin(), labels.end());
}

// All queries, stratum by stratum, in random order within each.
std::vector<std::size_t> dealing_order(const Dataset& data, std::uint64_t seed) {
  const std::size_t n = data.queries();
  std::vector<float> best(n);
  for (std::size_t q = 0; q < n; ++q) best[q] = best_label(data, q);
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return best[a] < best[b]; });

  std::vector<std::size_t> ends;
  for (std::size_t i = 1; i <= n; ++i)
    if (i == n || best[order[i]] != best[order[i - 1]]) ends.push_back(i);
  if (ends.size() > kMostStrata) {
    ends.clear();
    for (std::size_t s = 1; s <= kMostStrata; ++s) ends.push_back(s * n / kMostStrata);
  }
  Random random(seed, kStream);
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    random.shuffle(std::span(order).subspan(begin, end - begin));
    begin = end;
  }
  return order;
}

double checked_total(const std::vector<double>& shares) {
  double total = 0;
  for (const double share : shares) {
    if (!(share > 0 && share < 1e15))
      throw Error(ErrorCode::usage,
                  fmt::format("a share of {} gives an empty part; shares must be above 0", share));
    total += share;
  }
  return total;
}

}  // namespace

std::vector<double> parse_shares(std::string_view text) {
  std::vector<double> shares;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    double share = 0;
    const auto [end, error] = std::from_chars(text.data() + begin, text.data() + comma, share);
    if (error != std::errc() || end != text.data() + comma || !(share > 0 && share < 1e15))
      throw Error(ErrorCode::usage,
                  fmt::format("'{}' is not a list of shares above 0 like 60,20,20", text));
    shares.push_back(share);
    begin = comma + 1;
  }
  return shares;
}

std::vector<std::vector<std::size_t>> split_queries(const Dataset& data,
                                                    const std::vector<double>& shares,
                                                    std::uint64_t seed) {
  const double total = checked_total(shares);
  std::vector<std::vector<std::size_t>> parts(shares.size());
  double dealt = 0;
  for (const std::size_t q : dealing_order(data, seed)) {
    dealt += 1;
    std::size_t chosen = 0;
    double furthest = -std::numeric_limits<double>::infinity();
    for (std::size_t p = 0; p < parts.size(); ++p) {
      const double behind = dealt * (shares[p] / total) - static_cast<double>(parts[p].size());
      if (behind > furthest) {
        furthest = behind;
        chosen = p;
      }
    }
    parts[chosen].push_back(q);
  }
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (parts[p].empty())
      throw Error(
          ErrorCode::data,
          fmt::format("part {} of the split would be empty: {} cannot give it its share of {}",
                      p + 1, counted(data.queries(), "query"), shares[p]));
    std::sort(parts[p].begin(), parts[p].end());
  }
  return parts;
}

std::vector<Fold> make_folds(const Dataset& data, int k, std::uint64_t seed) {
  if (k < 3)
    throw Error(ErrorCode::usage,
                fmt::format("{}: training, validation and test sets need at least 3",
                            counted(static_cast<std::uint64_t>(std::max(k, 0)), "fold")));
  const auto count = static_cast<std::size_t>(k);
  const auto parts = split_queries(data, std::vector<double>(count, 1.0), seed);
  std::vector<Fold> folds(count);
  for (std::size_t f = 0; f < count; ++f) {
    for (std::size_t i = 0; i + 2 < count; ++i) {
      const auto& part = parts[(f + i) % count];
      folds[f].train.insert(folds[f].train.end(), part.begin(), part.end());
    }
    std::sort(folds[f].train.begin(), folds[f].train.end());
    folds[f].valid = parts[(f + count - 2) % count];
    folds[f].test = parts[(f + count - 1) % count];
  }
  return folds;
}

}  // namespace podium

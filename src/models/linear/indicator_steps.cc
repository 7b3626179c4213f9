#include "models/linear/indicator_steps.h"

#include <cmath>
#include <numeric>

#include "distributed/over_ranks.h"

namespace podium {
namespace {

constexpr std::size_t kShortestRun = 4;  // minimum average length for which it pays

// f(first, last) for every run of ones in a row, in order; returns false if a value is not 0, 1 or
// missing.
template <class F>
bool for_each_run(const Rows& rows, std::size_t row, F&& f) {
  std::size_t first = 0, next = 0;  // the current run, if first < next
  const auto see = [&](std::size_t column, float x) {
    if (x == 0 || std::isnan(x)) return true;
    if (x != 1) return false;
    if (first < next && column != next) f(first, next - 1);
    if (first == next || column != next) first = column;
    next = column + 1;
    return true;
  };
  if (rows.is_dense()) {
    const auto values = rows.dense(row);
    for (std::size_t c = 0; c < values.size(); ++c)
      if (!see(c, values[c])) return false;
  } else {
    const auto stored = rows.sparse(row);
    for (std::size_t i = 0; i < stored.columns.size(); ++i)
      if (!see(stored.columns[i], stored.values[i])) return false;
  }
  if (first < next) f(first, next - 1);
  return true;
}

// How many rows of this rank have a run that starts at each column, and the number of ones.
struct Runs {
  std::vector<std::int64_t> starts;
  std::size_t ones = 0;
  bool only_indicators = true;

  explicit Runs(const Dataset& data) : starts(data.features(), 0) {
    const Rows rows = data.rows(0, data.documents());
    for (std::size_t d = 0; d < rows.documents() && only_indicators; ++d)
      only_indicators = for_each_run(rows, d, [&](std::size_t first, std::size_t last) {
        ++starts[first];
        ones += last - first + 1;
      });
  }
};

// The last column of every run, cut where stretches begin.
DatasetParts cut_runs(const Dataset& data, std::span<const std::int64_t> starts) {
  std::vector<std::uint64_t> row_begin = {0};
  std::vector<std::uint32_t> columns;
  const Rows rows = data.rows(0, data.documents());
  std::vector<std::uint32_t> next_start(starts.size() + 1,
                                        static_cast<std::uint32_t>(starts.size()));
  for (std::size_t c = starts.size(); c-- > 0;)
    next_start[c] = starts[c] > 0 ? static_cast<std::uint32_t>(c) : next_start[c + 1];
  for (std::size_t d = 0; d < rows.documents(); ++d) {
    for_each_run(rows, d, [&](std::size_t first, std::size_t last) {
      for (std::size_t c = next_start[first + 1]; c <= last; c = next_start[c + 1])
        columns.push_back(static_cast<std::uint32_t>(c - 1));
      columns.push_back(static_cast<std::uint32_t>(last));
    });
    row_begin.push_back(columns.size());
  }
  DatasetParts parts = data.parts();
  parts.dense = {};
  parts.values = std::vector<float>(columns.size(), 1.0F);
  parts.row_begin = std::move(row_begin);
  parts.columns = std::move(columns);
  parts.absent = 0;
  return parts;
}

}  // namespace

std::optional<IndicatorSteps> IndicatorSteps::find(const Dataset& data, Context& context) {
  Runs runs(data);
  const bool others = on_any_rank(!runs.only_indicators, context.comm);
  const std::size_t ones = count_over_ranks(runs.ones, context.comm);
  if (others || ones == 0) return {};
  context.comm.all_reduce_sum(std::span(runs.starts));
  const auto whole = std::accumulate(runs.starts.begin(), runs.starts.end(), std::int64_t{0});
  if (kShortestRun * static_cast<std::size_t>(whole) > ones) return {};
  DatasetParts parts = cut_runs(data, runs.starts);
  const std::size_t steps = count_over_ranks(parts.columns.size(), context.comm);
  if (kShortestRun * steps > ones) return {};
  return IndicatorSteps(Dataset(std::move(parts)), std::move(runs.starts));
}

std::vector<double> IndicatorSteps::sums_up_to(std::span<const double> w) const {
  std::vector<double> sums(w.begin(), w.end());
  for (std::size_t c = 1; c < sums.size(); ++c)
    if (starts_[c] == 0) sums[c] += sums[c - 1];
  return sums;
}

std::vector<double> IndicatorSteps::sums_from(std::vector<double> at_steps) const {
  for (std::size_t c = at_steps.size(); c-- > 1;)
    if (starts_[c] == 0) at_steps[c - 1] += at_steps[c];
  return at_steps;
}

}  // namespace podium

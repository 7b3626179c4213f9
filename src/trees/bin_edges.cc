#include "trees/bin_edges.h"

#include <algorithm>
#include <numeric>

namespace podium {
namespace {

// Values i with begin ≤ i < end that share `bins` bins.
struct Run {
  std::size_t begin, end;
  std::uint64_t count = 0;
  std::size_t bins = 1;
};

// The values that fill a bin alone, most frequent first.
std::vector<std::size_t> heavy_values(const ValueCounts& sample, std::size_t most_bins) {
  const std::uint64_t total =
      std::accumulate(sample.counts.begin(), sample.counts.end(), std::uint64_t{0});
  std::vector<std::size_t> heavy;
  for (std::size_t i = 0; i < sample.counts.size(); ++i)
    if (sample.counts[i] >= total / most_bins + 1) heavy.push_back(i);
  std::stable_sort(heavy.begin(), heavy.end(), [&](std::size_t a, std::size_t b) {
    return sample.counts[a] > sample.counts[b];
  });
  // Between h heavy values there are up to h + 1 runs of others, each with at least one bin.
  heavy.resize(std::min(heavy.size(), (most_bins - 1) / 2));
  return heavy;
}

// Heavy values as runs of one, the values between them as runs of several.
std::vector<Run> runs_of(const ValueCounts& sample, std::vector<std::size_t> heavy) {
  std::sort(heavy.begin(), heavy.end());
  std::vector<Run> runs;
  const auto close = [&](std::size_t begin, std::size_t end) {
    if (begin == end) return;
    Run run{begin, end};
    for (std::size_t i = begin; i < end; ++i) run.count += sample.counts[i];
    runs.push_back(run);
  };
  std::size_t begin = 0;
  for (const std::size_t i : heavy) {
    close(begin, i);
    close(i, i + 1);
    begin = i + 1;
  }
  close(begin, sample.values.size());
  return runs;
}

// Distributes bins over the runs of several values in proportion to their counts.
void share_bins(std::vector<Run>& runs, std::size_t most_bins) {
  std::size_t bins = most_bins, open = 0;
  std::uint64_t count = 0;
  for (const Run& run : runs) {
    if (run.end - run.begin == 1) {
      --bins;
    } else {
      count += run.count;
      ++open;
    }
  }
  for (Run& run : runs) {
    if (run.end - run.begin == 1) continue;
    --open;
    const double share = count ? static_cast<double>(run.count) / static_cast<double>(count) : 0;
    const auto wanted = static_cast<std::size_t>(share * static_cast<double>(bins) + 0.5);
    run.bins = std::clamp<std::size_t>(wanted, 1, std::min(bins - open, run.end - run.begin));
    bins -= run.bins;
    count -= run.count;
  }
}

// The last value of each bin except the last, by counts: a bin ends when it has its share of the
// remaining documents.
void cut_run(const ValueCounts& sample, const Run& run, std::vector<std::size_t>& lasts) {
  std::uint64_t left = run.count, filled = 0;
  std::size_t bins = run.bins;
  for (std::size_t i = run.begin; i < run.end && bins > 1; ++i) {
    filled += sample.counts[i];
    const std::size_t values_left = run.end - i - 1;
    const std::uint64_t next = sample.counts[i + 1];
    const bool full = (2 * filled + next) * bins >= 2 * left;  // closer to the share than with next
    if (!full && values_left >= bins) continue;
    lasts.push_back(i);
    left -= filled;
    filled = 0;
    --bins;
  }
}

}  // namespace

float threshold_between(float low, float high) {
  const auto middle =
      static_cast<float>(0.5 * (static_cast<double>(low) + static_cast<double>(high)));
  return middle >= low && middle < high ? middle : low;
}

std::vector<float> bin_thresholds(const ValueCounts& sample, std::size_t most_bins) {
  const std::size_t n = sample.values.size();
  std::vector<std::size_t> lasts;
  if (n <= most_bins) {
    for (std::size_t i = 0; i + 1 < n; ++i) lasts.push_back(i);
  } else if (most_bins > 1) {
    std::vector<Run> runs = runs_of(sample, heavy_values(sample, most_bins));
    share_bins(runs, most_bins);
    for (const Run& run : runs) {
      cut_run(sample, run, lasts);
      if (run.end < n) lasts.push_back(run.end - 1);
    }
  }
  std::vector<float> thresholds;
  for (const std::size_t i : lasts)
    thresholds.push_back(threshold_between(sample.values[i], sample.values[i + 1]));
  return thresholds;
}

}  // namespace podium

// The roofline: this machine's peaks, then each kernel's rate and the fraction it reaches of the
// peak that bounds it, one thread. A kernel needs a known amount of each resource
// (guard/kernels.h); the one that takes longest at its peak is the bound. For kernels that are not
// vectorised the instructions are a resource too, as counted by callgrind for guard/baseline.json.
//
//   roofline_benchmark | benchmarks/fragments.py roofline     puts the tables into the page
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include <fmt/format.h>

#include "guard/kernels.h"
#include "roofline/least_seconds.h"
#include "roofline/machine_peaks.h"

namespace podium {
namespace {

// 180,000 documents: 98 MB of features, far more than the caches.
constexpr WorkloadSize kLarge{.queries = 1500, .text_queries = 150, .trees = 500};

enum class Code { scalar, vectors };

struct Row {
  std::string_view kernel, title;
  Code code;
};
constexpr Row kRows[] = {
    {"read-letor", "reading LETOR text", Code::scalar},
    {"read-trec", "reading TREC files", Code::scalar},
    {"bin", "binning", Code::scalar},
    {"histogram", "histograms, all documents", Code::vectors},
    {"histogram-leaf", "histograms, one document in 30", Code::vectors},
    {"split", "best split of a leaf", Code::scalar},
    {"lambda-ndcg", "derivatives of λ-nDCG", Code::vectors},
    {"forest", "scoring, 500 trees of 31 leaves", Code::vectors},
    {"linear-score", "linear scores", Code::vectors},
    {"linear-gradient", "gradient of a linear model", Code::vectors},
    {"line-search-ndcg", "line search, nDCG@10", Code::scalar},
    {"line-search-ap", "line search, AP", Code::scalar},
    {"sort-100", "sorting lists of 100", Code::scalar},
    {"evaluate", "ten measures", Code::scalar},
};

struct Bound {
  std::string by = "nothing known";
  double seconds = 0;

  void consider(std::string_view resource, double amount, double peak) {
    if (amount / peak <= seconds) return;
    seconds = amount / peak;
    by = resource;
  }
};

// Instructions per item, or 0 if the kernel is not in the file.
double counted(const nlohmann::json& baseline, std::string_view kernel) {
  const auto& kernels = baseline.at("kernels");
  const auto found = kernels.find(std::string(kernel));
  if (found == kernels.end()) return 0;
  return found->at("instructions").get<double>() / found->at("items").get<double>();
}

Bound bound_of(const KernelWork& work, const MachinePeaks& peaks, double instructions) {
  Bound bound;
  bound.consider("memory", work.memory_bytes, peaks.reads.back().one);
  bound.consider("level 1 cache", work.near_bytes, peaks.reads.front().one);
  bound.consider("tests", work.tests, peaks.tests);
  bound.consider("updates of a table", work.updates, peaks.updates);
  bound.consider("arithmetic", work.flops, peaks.unfused_flops);
  bound.consider("divisions", work.divisions, peaks.divisions);
  bound.consider("instructions", instructions * work.items, peaks.instructions);
  return bound;
}

void print_peaks(const MachinePeaks& peaks) {
  fmt::print("| peak ({} vectors) | 1 thread | 2 threads |\n|---|---|---|\n", peaks.vectors);
  for (const ReadPeak& peak : peaks.reads)
    fmt::print("| reading from {}, GB/s | {:.1f} | {:.1f} |\n", peak.where, peak.one / 1e9,
               peak.two / 1e9);
  const auto line = [](std::string_view what, double value) {
    fmt::print("| {} | {:.2f} | |\n", what, value / 1e9);
  };
  line("scattered lines of 64 bytes from memory, GB/s", peaks.scattered_lines);
  line("double-precision operations, fused multiply-adds, 10⁹/s", peaks.flops);
  line("the same, not fused (Podium fuses nothing, for the same bits everywhere)",
       peaks.unfused_flops);
  line("double-precision divisions, 10⁹/s", peaks.divisions);
  line("tests (a float of level 1 read and compared, a word masked), 10⁹/s", peaks.tests);
  line("additions to scattered numbers of a table in level 1, 10⁹/s", peaks.updates);
  line("the same to one number, 10⁹/s", peaks.updates_of_one);
  line("instructions, 10⁹/s", peaks.instructions);
  line("clock, GHz", peaks.clock);
}

void print_kernels(const MachinePeaks& peaks) {
  std::ifstream file(PODIUM_GUARD_BASELINE);
  const auto baseline = nlohmann::json::parse(file);
  Workload workload(kLarge);
  fmt::print(
      "\n| kernel | 10⁶ items a second | an item | bound by | that allows, 10⁶/s | reached |\n"
      "|---|---|---|---|---|---|\n");
  for (const Row& row : kRows) {
    const KernelEntry& entry = find_kernel(row.kernel);
    const Kernel kernel = entry.make(workload);
    const double seconds = least_seconds(kernel.run);
    const double instructions = row.code == Code::scalar ? counted(baseline, row.kernel) : 0;
    const Bound bound = bound_of(kernel.work, peaks, instructions);
    fmt::print("| {} | {:.4g} | {} | {} | {:.4g} | {:.0f} % |\n", row.title,
               kernel.work.items / seconds / 1e6, entry.item, bound.by,
               kernel.work.items / bound.seconds / 1e6, 100 * bound.seconds / seconds);
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace podium

int main() {
  const podium::MachinePeaks peaks = podium::measure_peaks();
  podium::print_peaks(peaks);
  podium::print_kernels(peaks);
}

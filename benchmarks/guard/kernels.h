// The main kernels on fixed data, one entry each: counted by the regression guard (podium_guard.cc)
// and timed by the roofline (roofline_benchmark.cc).
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "guard/workload.h"

namespace podium {

// The minimum work of one run, independent of the implementation: the roofline divides it by the
// machine's peaks.
struct KernelWork {
  double items = 0;
  double memory_bytes = 0;  // to and from memory, for data larger than the caches
  double near_bytes = 0;    // read from the nearest cache
  double tests = 0;         // of a float in the nearest cache, each masking a word
  double updates = 0;       // additions to numbers of a table in the nearest cache
  double flops = 0;         // double precision, without divisions
  double divisions = 0;     // double precision
};

struct Kernel {
  std::function<void()> run;  // the workload must outlive it
  KernelWork work;
};

struct KernelEntry {
  std::string_view name;
  std::string_view item;  // counted by work.items
  Kernel (*make)(Workload&);
};

std::span<const KernelEntry> kernel_entries();
// Throws a usage Error if there is none.
const KernelEntry& find_kernel(std::string_view name);

// By file.
Kernel read_letor(Workload& workload);
Kernel read_trec(Workload& workload);
Kernel bin_values(Workload& workload);

Kernel histogram_of_all(Workload& workload);
Kernel histogram_of_leaf(Workload& workload);
Kernel find_split(Workload& workload);
Kernel grow_tree(Workload& workload);

Kernel lambda_ndcg(Workload& workload);
Kernel lambda_ap(Workload& workload);
Kernel logistic_pairs(Workload& workload);
Kernel hinge_pairs(Workload& workload);
Kernel ranksvm_loss(Workload& workload);
Kernel map_oracle(Workload& workload);
Kernel ndcg_oracle(Workload& workload);

Kernel sort_long_lists(Workload& workload);
Kernel sort_short_lists(Workload& workload);
Kernel evaluate_ten(Workload& workload);
Kernel evaluate_ten_tied(Workload& workload);

Kernel score_forest(Workload& workload);
Kernel score_linear(Workload& workload);
Kernel sum_linear(Workload& workload);

Kernel line_search_ndcg(Workload& workload);
Kernel line_search_ap(Workload& workload);
Kernel train_ranksvm(Workload& workload);

}  // namespace podium

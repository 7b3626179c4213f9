#include "guard/kernels.h"

#include <fmt/format.h>

#include "podium/error.h"

namespace podium {
namespace {

constexpr KernelEntry kEntries[] = {
    {"read-letor", "byte", read_letor},
    {"read-trec", "byte", read_trec},
    {"bin", "value", bin_values},
    {"histogram", "update", histogram_of_all},
    {"histogram-leaf", "update", histogram_of_leaf},
    {"split", "bin", find_split},
    {"tree", "document", grow_tree},
    {"lambda-ndcg", "pair", lambda_ndcg},
    {"lambda-ap", "pair", lambda_ap},
    {"logistic-pairs", "pair", logistic_pairs},
    {"hinge-pairs", "pair", hinge_pairs},
    {"ranksvm-loss", "document", ranksvm_loss},
    {"map-oracle", "document", map_oracle},
    {"ndcg-oracle", "document", ndcg_oracle},
    {"sort-1000", "document", sort_long_lists},
    {"sort-100", "document", sort_short_lists},
    {"evaluate", "document", evaluate_ten},
    {"evaluate-tied", "document", evaluate_ten_tied},
    {"forest", "document-tree", score_forest},
    {"linear-score", "value", score_linear},
    {"linear-gradient", "value", sum_linear},
    {"line-search-ndcg", "document", line_search_ndcg},
    {"line-search-ap", "document", line_search_ap},
    {"train-ranksvm", "document", train_ranksvm},
};

}  // namespace

std::span<const KernelEntry> kernel_entries() {
  return kEntries;
}

const KernelEntry& find_kernel(std::string_view name) {
  for (const KernelEntry& entry : kEntries)
    if (entry.name == name) return entry;
  throw Error(ErrorCode::usage, fmt::format("no kernel '{}' (--list shows them)", name));
}

}  // namespace podium

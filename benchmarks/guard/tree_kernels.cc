// Histograms, splits, whole trees.
#include <numeric>

#include "guard/kernels.h"
#include "trees/histogram.h"
#include "trees/split_finder.h"
#include "trees/tree_builder.h"

namespace podium {
namespace {

// The number of bin updates for these documents: one per dense column, and the sparse entries.
double updates_of(const BinnedDataset& data, std::span<const std::uint32_t> documents) {
  std::size_t width = 0, entries = 0;
  for (const auto& block : data.blocks()) width += block.width();
  if (!data.sparse().columns.empty())
    for (const std::uint32_t d : documents) entries += data.sparse().row(d).size();
  return static_cast<double>(documents.size() * width + entries);
}

// A builder with its leaf and the destination of its sums.
struct Building {
  Building(Workload& workload, std::vector<std::uint32_t> leaf)
      : builder(workload.binned(), workload.pool()),
        documents(std::move(leaf)),
        histogram(workload.binned().total_bins()) {}

  DerivativeSums build(const QuantizedDerivatives& quantized) {
    return builder.build(documents, quantized.words(), histogram);
  }

  HistogramBuilder builder;
  std::vector<std::uint32_t> documents;
  std::vector<DerivativeSums> histogram;
};

Kernel histogram_of(Workload& workload, std::vector<std::uint32_t> documents, double line_bytes) {
  const auto building = std::make_shared<Building>(workload, std::move(documents));
  const QuantizedDerivatives& quantized = workload.quantized();
  const double updates = updates_of(workload.binned(), building->documents);
  return {[building, &quantized] { building->build(quantized); },
          {.items = updates, .memory_bytes = line_bytes, .updates = updates}};
}

}  // namespace

// Memory: the bins.
Kernel histogram_of_all(Workload& workload) {
  const double bytes = static_cast<double>(workload.binned().bytes());
  return histogram_of(workload, workload.scattered(1), bytes);
}

// One document in thirty. Memory: a line of 64 bytes for each document and block.
Kernel histogram_of_leaf(Workload& workload) {
  auto leaf = workload.scattered(30);
  const auto lines = static_cast<double>(leaf.size() * workload.binned().blocks().size());
  return histogram_of(workload, std::move(leaf), 64 * lines);
}

Kernel find_split(Workload& workload) {
  const BinnedDataset& data = workload.binned();
  const auto building = std::make_shared<Building>(workload, workload.scattered(1));
  const DerivativeSums sums = building->build(workload.quantized());
  const auto finder = std::make_shared<SplitFinder>(data);
  std::vector<std::uint32_t> columns(data.columns().size());
  std::iota(columns.begin(), columns.end(), 0U);
  finder->prepare({.first_unit = workload.quantized().first_unit(),
                   .second_unit = workload.quantized().second_unit(),
                   .l2 = 1,
                   .min_docs = 20},
                  std::move(columns));
  const auto run = [&workload, building, finder, sums] {
    const SplitProblem problem{building->histogram, sums, {}};
    finder->best(std::span(&problem, 1), workload.pool());
  };
  const auto bins = static_cast<double>(data.total_bins());
  return {run, {.items = bins, .near_bytes = sizeof(DerivativeSums) * bins, .divisions = 2 * bins}};
}

Kernel grow_tree(Workload& workload) {
  const auto builder =
      std::make_shared<TreeBuilder>(workload.binned(), TreeOptions{}, workload.context());
  const Workload::Derivatives& derivatives = workload.derivatives();
  const auto leaf_of = std::make_shared<std::vector<std::uint32_t>>(workload.data().documents());
  const auto run = [builder, leaf_of, &derivatives] {
    builder->build({.first = derivatives.first, .second = derivatives.second}, *leaf_of);
  };
  return {run, {.items = static_cast<double>(workload.data().documents())}};
}

}  // namespace podium

#include "experiments/data_summary.h"

#include <algorithm>

#include "core/random.h"

namespace podium {
namespace {

constexpr std::size_t kMostBins = 20;

// The least of 1, 2, 5, 10, 20, … that needs no more than kMostBins bins.
std::size_t bin_width(std::size_t longest) {
  for (std::size_t decade = 1;; decade *= 10)
    for (const std::size_t digit : {1, 2, 5})
      if (longest <= decade * digit * kMostBins) return decade * digit;
}

}  // namespace

std::vector<DataSummary::Bin> DataSummary::length_histogram() const {
  std::vector<Bin> bins;
  if (lengths.empty()) return bins;
  const std::size_t width = bin_width(lengths.back());
  for (std::size_t from = 1; from <= lengths.back(); from += width)
    bins.push_back({from, from + width - 1, 0});
  for (const std::size_t length : lengths)
    if (length > 0) ++bins[(length - 1) / width].queries;
  return bins;
}

void DataSummaryBuilder::add(const Dataset& part) {
  summary_.fingerprint = mix(summary_.fingerprint, part.fingerprint());
  summary_.features = std::max(summary_.features, part.features());
  for (std::size_t q = 0; q < part.queries(); ++q) {
    if (!seen_.emplace(part.qid(q)).second) continue;
    const auto labels = part.labels(q);
    ++summary_.queries;
    summary_.documents += labels.size();
    summary_.lengths.push_back(labels.size());
    for (const float label : labels) ++summary_.grades[label];
    if (std::none_of(labels.begin(), labels.end(),
                     [&](float label) { return label >= relevant_from_; }))
      ++summary_.empty;
  }
}

DataSummary DataSummaryBuilder::finish() {
  std::sort(summary_.lengths.begin(), summary_.lengths.end());
  return std::move(summary_);
}

}  // namespace podium

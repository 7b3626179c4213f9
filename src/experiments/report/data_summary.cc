#include "experiments/report/data_summary.h"

#include <algorithm>
#include <span>

#include <xxhash.h>

#include "core/random.h"

namespace podium {
namespace {

constexpr std::size_t kMostBins = 20;

// The smallest of 1, 2, 5, 10, 20, … that needs at most kMostBins bins.
std::size_t bin_width(std::size_t longest) {
  for (std::size_t decade = 1;; decade *= 10)
    for (const std::size_t digit : {1, 2, 5})
      if (longest <= decade * digit * kMostBins) return decade * digit;
}

template <class T>
std::uint64_t hash_of(std::span<const T> values) {
  return XXH3_64bits(values.data(), values.size_bytes());
}
std::uint64_t hash_of(const Strings& strings) {
  std::uint64_t hash = strings.size();
  for (std::size_t i = 0; i < strings.size(); ++i)
    hash = mix(hash, hash_of(std::span<const char>(strings[i])));
  return hash;
}

// Of everything that affects results: Dataset::fingerprint() leaves out names, weights, positions.
std::uint64_t identity_of(const Dataset& part) {
  const DatasetParts& parts = part.parts();
  std::uint64_t hash = part.fingerprint();
  for (const Strings* strings : {&parts.qids, &parts.docids, &parts.hosts})
    hash = mix(hash, hash_of(*strings));
  for (const auto* weights : {&parts.document_weights, &parts.query_weights})
    hash = mix(hash, hash_of(weights->view()));
  hash = mix(hash, hash_of(parts.positions.view()));
  for (const std::string& name : parts.feature_names)
    hash = mix(hash, hash_of(std::span<const char>(name)));
  return hash;
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
  summary_.fingerprint = mix(summary_.fingerprint, identity_of(part));
  summary_.features = std::max(summary_.features, part.features());
  std::vector<char> is_new(part.queries());
  for (std::size_t q = 0; q < part.queries(); ++q) {
    is_new[q] = seen_.emplace(part.qid(q)).second ? 1 : 0;
    if (!is_new[q]) continue;
    const auto labels = part.labels(q);
    ++summary_.queries;
    summary_.documents += labels.size();
    summary_.lengths.push_back(labels.size());
    for (const float label : labels) ++summary_.grades[label];
    if (std::none_of(labels.begin(), labels.end(),
                     [&](float label) { return label >= relevant_from_; }))
      ++summary_.empty;
  }
  columns_.add(part, is_new);
}

DataSummary DataSummaryBuilder::finish() {
  std::sort(summary_.lengths.begin(), summary_.lengths.end());
  summary_.columns = columns_.finish();
  return std::move(summary_);
}

}  // namespace podium

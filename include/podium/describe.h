// What is in a data set: sizes, grades, list lengths, and what tends to go wrong (constant and
// duplicate features, equal vectors with different labels, queries that teach nothing).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "podium/context.h"
#include "podium/dataset.h"

namespace podium {

struct FeatureSummary {
  std::string name;
  FeatureType type = FeatureType::number;
  std::uint64_t categories = 0;  // values that a category has
  // Over the values that are not missing; 0 when all are. Of a category: over its codes.
  float min = 0, max = 0;
  double mean = 0;
  std::uint64_t missing = 0;
  std::uint64_t zeros = 0;

  // One value in all documents (missing being one).
  bool constant(std::uint64_t documents) const noexcept {
    return missing == documents || (missing == 0 && min == max);
  }
};

struct DataDescription {
  std::uint64_t queries = 0, documents = 0, features = 0;

  // Labels. `grades` counts each label where all are whole numbers and few; else it is empty.
  float label_min = 0, label_max = 0;
  std::uint64_t distinct_labels = 0;
  std::vector<std::pair<float, std::uint64_t>> grades;

  // Documents a query.
  std::uint64_t shortest = 0, longest = 0;
  double median_length = 0, mean_length = 0;

  std::uint64_t queries_without_relevant = 0;  // no label above 0
  std::uint64_t queries_of_one_grade = 0;      // nothing to rank; includes those of one document

  // Where most of sparse data's features occur in no document, those are counted here and are in
  // none of the lists below, whose numbers are places in `feature`.
  std::uint64_t absent_features = 0;
  std::vector<std::string> ignored;  // columns that were not read
  std::vector<FeatureSummary> feature;
  std::vector<std::size_t> constant_features;
  // (feature, earlier feature with the same value in every document); constants left out.
  std::vector<std::pair<std::size_t, std::size_t>> duplicate_features;

  // Documents whose feature vector occurs again in their query, and those of them where the copies
  // disagree about the label.
  std::uint64_t duplicate_documents = 0;
  std::uint64_t conflicting_documents = 0;
  std::uint64_t queries_with_conflicts = 0;

  bool dense = true;
  std::uint64_t stored_values = 0;  // feature values in memory
  std::uint64_t bytes = 0;          // of all arrays
  bool has_docids = false, has_hosts = false, has_weights = false, has_positions = false;
};

DataDescription describe(const Dataset& data, Context& context);

}  // namespace podium

// Summary of a data set: sizes, grades, list lengths, and common problems (constant and duplicate
// features, equal vectors with different labels, queries with nothing to learn from).
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
  std::uint64_t categories = 0;  // number of different values of a category
  // Over the values that are not missing; 0 when all are. For a category: over its codes.
  float min = 0, max = 0;
  double mean = 0;
  std::uint64_t missing = 0;
  std::uint64_t zeros = 0;

  // The same value in all documents (missing counts as a value).
  bool constant(std::uint64_t documents) const noexcept {
    return missing == documents || (missing == 0 && min == max);
  }
};

struct DataDescription {
  std::uint64_t queries = 0, documents = 0, features = 0;

  // Labels. `grades` counts each label if all are whole numbers and few; else it is empty.
  float label_min = 0, label_max = 0;
  std::uint64_t distinct_labels = 0;
  std::vector<std::pair<float, std::uint64_t>> grades;

  // Documents per query.
  std::uint64_t shortest = 0, longest = 0;
  double median_length = 0, mean_length = 0;

  std::uint64_t queries_without_relevant = 0;  // no label above 0
  std::uint64_t queries_of_one_grade = 0;  // nothing to rank; includes queries with one document

  // If most features of sparse data occur in no document, those are counted here and left out of
  // the lists below, whose numbers are positions in `feature`.
  std::uint64_t absent_features = 0;
  std::vector<std::string> ignored;  // columns that were not read
  std::vector<FeatureSummary> feature;
  std::vector<std::size_t> constant_features;
  // (feature, earlier feature with the same value in every document); constants left out.
  std::vector<std::pair<std::size_t, std::size_t>> duplicate_features;

  // Documents whose feature vector occurs again in their query, and how many of them have a copy
  // with a different label.
  std::uint64_t duplicate_documents = 0;
  std::uint64_t conflicting_documents = 0;
  std::uint64_t queries_with_conflicts = 0;

  bool dense = true;
  std::uint64_t stored_values = 0;  // feature values in memory
  std::uint64_t bytes = 0;          // size of all arrays
  bool has_docids = false, has_hosts = false, has_weights = false, has_positions = false;
};

DataDescription describe(const Dataset& data, Context& context);

}  // namespace podium

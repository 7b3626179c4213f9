// The features of all documents column by column, as directions of a line search. Each column is
// divided by a power of two near its deviation within queries: a step of 1 then means about the
// same for every feature, and conversions to and from the model's weights are exact. Features that
// are constant within every query, on all ranks, change no ranking and are not used as directions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/spill_array.h"
#include "podium/context.h"
#include "podium/dataset.h"
#include "podium/model.h"

namespace podium {

class FeatureColumns {
 public:
  FeatureColumns(const Dataset& data, Context& context);

  std::size_t features() const noexcept { return scale_.size(); }
  std::size_t documents() const noexcept { return documents_; }
  // Features that differ between documents of a query, ascending.
  std::span<const std::uint32_t> moving() const noexcept { return moving_; }

  // x / scale of every document; 0 if missing.
  void copy(std::size_t feature, std::span<double> out) const;

  // Weights of the original features from weights of the scaled columns, and back (0 for features
  // that do not move).
  Linear model(std::span<const double> weights) const;
  std::vector<double> weights(const Linear& model) const;
  // Converts derivatives by the features' weights into derivatives by the columns' weights.
  void rescale(std::span<double> derivatives) const;

 private:
  void fill_dense(const Dataset& data, Context& context);
  void fill_sparse(const Dataset& data);
  // Sums of squares around the mean, for each query in which the feature is not constant.
  std::vector<double> spreads(const Dataset& data, std::size_t feature) const;

  std::size_t documents_;
  // Column by column. For sparse data, the documents and values that are stored.
  SpillArray<float> values_;
  SpillArray<std::uint32_t> rows_;
  std::vector<std::size_t> column_begin_;  // empty: dense
  std::vector<double> scale_;
  std::vector<std::uint32_t> moving_;
};

}  // namespace podium

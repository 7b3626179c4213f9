// Computes a synthetic document's features from its traits. Values are rounded to a few decimals to
// keep text files short.
#pragma once

#include <span>
#include <vector>

#include "data/synthetic/synthetic_model.h"

namespace podium {

// Writes documents × features values of one query.
class FeatureView {
 public:
  explicit FeatureView(const SyntheticOptions& resolved);

  void write(const SyntheticQuery& query, std::span<const SyntheticDocument> documents,
             Random& random, std::span<float> out) const;

 private:
  double value(const SyntheticFeature& feature, std::size_t number,
               const SyntheticDocument& document, std::span<const double> of_query,
               Random& random) const;

  std::vector<SyntheticFeature> features_;
  bool scaled_;  // to [0, 1] within the query
};

}  // namespace podium

// Data preparation that is learned from one data set and applied to others: feature selection, log1p,
// threshold binning, per-query scaling. A Transform is a value with a JSON form; a model file stores
// the one its training data went through, and scoring applies it again.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "podium/context.h"
#include "podium/dataset.h"

namespace podium {

enum class Normalization { none, query_minmax, query_zscore, query_percentile };
Normalization parse_normalization(std::string_view name);
std::string_view to_text(Normalization normalization);

// Steps, applied in this order.
struct Transform {
  std::vector<std::string> features;  // the input features kept, by name; empty: all
  bool log1p = false;                 // sign(x)·log(1 + |x|)
  // Per kept feature the ascending thresholds; feature f becomes the indicators [x > t] for each t
  // ([Yue07]'s percentile features). Empty: no binning.
  std::vector<std::vector<float>> thresholds;
  Normalization normalization = Normalization::none;

  bool is_identity() const noexcept;
};

// "1-10,15" or names: the features that the list selects, in the data's order.
std::vector<std::string> parse_feature_list(std::string_view list, const Dataset& data);

// Thresholds at the quantiles of every feature, at most `bins` − 1 each.
std::vector<std::vector<float>> quantile_thresholds(const Dataset& data, int bins, Context& context);

Dataset apply(const Transform& transform, const Dataset& data, Context& context);

std::string to_json(const Transform& transform);
Transform transform_from_json(std::string_view json, const std::string& file);

// [Chakrabarti08]'s clean-up: documents whose features are all zero, and one of each group of
// documents of a query with the same (up to cosine ≥ `similarity`) features but different labels.
Dataset drop_zero_vectors(const Dataset& data, Context& context);
Dataset drop_conflicts(const Dataset& data, double similarity, Context& context);

// Queries dealt to parts in the given proportions, seeded, and balanced by their best grade.
std::vector<std::vector<std::size_t>> split_queries(const Dataset& data,
                                                    const std::vector<double>& shares,
                                                    std::uint64_t seed);

}  // namespace podium

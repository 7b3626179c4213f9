// Data preparation that is learned from one data set and applied to others: feature selection,
// log1p, per-query scaling, replacement of missing values, threshold binning, and encodings of
// categories. A Transform is a value with a JSON form; a model file stores the transform of its
// training data, and scoring applies it again.
//
// A missing value (NaN) stays missing in every step until it is imputed, and is ignored in all
// statistics. Categories that are not encoded keep their values in every step; their codes become
// those of the data that the transform was fitted to. Sparse data stays sparse if that is smaller,
// see apply().
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "podium/context.h"
#include "podium/dataset.h"
#include "podium/options.h"

namespace podium {

// Within a query, over its n documents that have the feature. A feature that is constant within the
// query becomes 0 there.
//   query-minmax       (x − min) / (max − min), as LETOR's QueryLevelNorm
//   query-zscore       (x − mean) / standard deviation (divisor n)
//   query-percentile   fraction of the n with a smaller value; tied values share the mean of their
//                      places: (smaller + (equal − 1) / 2) / n
enum class Normalization { none, query_minmax, query_zscore, query_percentile };
Normalization parse_normalization(std::string_view name);
std::string_view to_text(Normalization normalization);
const std::vector<std::string>& normalization_names();

// What a missing number becomes, after scaling. Means and medians are those of the training data's
// values. The query rules take the smallest value or the mean of the documents of the query that
// have the feature, so they need the whole query when scoring; where no document has it, they take
// the mean of that statistic over the training queries.
//   none        stays missing; a model that has no place for missing values counts it as 0
//   automatic   to be chosen before a transform is fitted, see learners/fit_preparation.h
enum class Imputation { none, automatic, zero, mean, median, query_mean, query_min };
const Choices<Imputation>& imputation_choices();
std::string to_text(Imputation imputation);
bool needs_query(Imputation imputation);

// Whether a feature that is missing somewhere in the training data gets a further input: 1 where it
// is missing, else 0. Automatic: yes, or what a choice by validation data says.
enum class Indicators { automatic, yes, no };
const Choices<Indicators>& indicator_choices();
std::string to_text(Indicators indicators);

// How a category becomes numbers, which later steps leave as they are.
//   codes      it stays a category, for learners that take them
//   one-hot    an input for each value: 1 where the document has it. Nothing for other values
//   target     the mean of (label − mean label of the query) of the documents with the value in the
//              training data, with kPriorDocuments documents of 0 added. Missing and unseen: 0.
//              In the training data itself a document's statistic uses only queries before its own
//              in a seeded order, so never its own label [Prokhorenkova18]
//   hash       kHashBuckets inputs: 1 in the bucket of the value's hash. Nothing for missing and
//              unseen values
//   automatic  one-hot for up to kFewValues values, else target
enum class Encoding { codes, automatic, one_hot, target, hash };
const Choices<Encoding>& encoding_choices();  // without codes
std::string to_text(Encoding encoding);
inline constexpr std::size_t kFewValues = 16, kHashBuckets = 256, kMostOneHot = 10'000;
inline constexpr double kPriorDocuments = 10;

struct CategoryEncoding {
  std::uint32_t feature = 0;           // among the kept ones
  Encoding kind = Encoding::one_hot;   // or target or hash
  std::vector<float> statistics = {};  // target: by code
  bool operator==(const CategoryEncoding&) const = default;
};

// Steps, applied in this order. ([Yue07] scales before it takes thresholds, too: its SVM_acc3 and
// SVM_acc4.)
struct Transform {
  std::vector<std::string> features;  // the input features kept, by name; empty: all
  bool log1p = false;                 // sign(x)·log(1 + |x|)
  Normalization normalization = Normalization::none;
  // Per kept feature the ascending thresholds; feature f becomes the indicators [x > t] for each t
  // ([Yue07] section 4.2), none of them for a category. Empty: no binning.
  std::vector<std::vector<float>> thresholds;
  // The types of the kept features. Categories of other data get the codes of this schema by their
  // values; a value that it lacks becomes missing. If the schema is empty, categories keep their
  // codes.
  FeatureSchema schema;
  // For bucket_labels(); apply() leaves labels alone.
  std::vector<float> label_edges = {};
  // Between normalization and thresholds: what missing numbers become, one number per kept feature
  // (for the query rules: where no document of the query has it), and the kept features whose
  // indicator of missing values is the input after their own.
  Imputation imputation = Imputation::none;
  std::vector<float> fills = {};
  std::vector<std::uint32_t> indicators = {};
  // By feature; the other categories keep their codes.
  std::vector<CategoryEncoding> encodings = {};

  bool is_identity() const noexcept;
  const CategoryEncoding* encoding(std::size_t kept) const;
  bool has_indicator(std::size_t kept) const;
  // Whether a kept feature may become several inputs, or none.
  bool multiplies() const noexcept {
    return !thresholds.empty() || !indicators.empty() || !encodings.empty();
  }
};

// The names of the inputs that a kept feature becomes: its own, "x>0.5" for thresholds, "x=missing"
// for the indicator, "brand=Acme", "brand:target" or "brand#17" for encodings. `schema`: of the
// kept features.
std::vector<std::string> input_names(const Transform& transform, const FeatureSchema& schema,
                                     std::size_t kept, const std::string& name);
std::size_t input_count(const Transform& transform, const FeatureSchema& schema, std::size_t kept);

// How the thresholds of a feature are placed: at quantiles of its values, or evenly spaced.
enum class BinRule { quantile, even };
BinRule parse_bin_rule(std::string_view name);
std::string to_text(BinRule rule);
const std::vector<std::string>& bin_rule_names();

// The options from which a Transform is fitted.
struct TransformOptions {
  std::string features;  // as parse_feature_list reads it; empty: all
  bool log1p = false;
  Normalization normalize = Normalization::none;
  std::int64_t bins = 0;  // thresholds, and so indicators, for each feature; 0: no binning
  BinRule bin_rule = BinRule::quantile;
  Imputation impute = Imputation::none;
  Indicators indicators = Indicators::automatic;
  Encoding encode = Encoding::codes;
};
const OptionTable<TransformOptions>& transform_option_table();

// Names every input feature (unless there is nothing to do), so that apply() finds the same ones in
// other data in any order. `impute` must not be automatic. All ranks must call it, each with its
// part of the data.
Transform fit_transform(const TransformOptions& options, const Dataset& data, Context& context);

// "1-10,15", "bm25,title_length", "first-last": the features that the list selects, in the data's
// order.
std::vector<std::string> parse_feature_list(std::string_view list, const Dataset& data);

// The position of each named feature in the data; throws an Error that names the closest one if it
// is absent. If features are numbered, a number beyond the last feature is one that no row
// mentions: it is kNoFeature, and all its values are the data's absent() (0 in dense data).
inline constexpr std::size_t kNoFeature = static_cast<std::size_t>(-1);
std::vector<std::size_t> find_features(const std::vector<std::string>& names, const Dataset& data);

// The thresholds requested by the options, for data after the previous steps.
std::vector<std::vector<float>> fit_thresholds(const TransformOptions& options, const Dataset& data,
                                               Context& context);

// `count` thresholds for every feature, at the quantiles i / (count + 1), i = 1 … count, each used
// once and only if some value is above it. If quantiles coincide, the rest are quantiles of the
// values that are not yet thresholds, so a feature with more than `count` distinct values has
// exactly `count` thresholds; one with fewer has all its values except the largest. They are
// computed exactly over the data of all ranks.
std::vector<std::vector<float>> quantile_thresholds(const Dataset& data, int count,
                                                    Context& context);

// `count` thresholds for every feature that is not constant, evenly spaced within the given range
// (ends excluded), or within that of the feature's values: low + i / (count + 1) ·
// (high − low).
struct ValueRange {
  double low = 0, high = 1;
};
std::vector<std::vector<float>> even_thresholds(const Dataset& data, int count,
                                                std::optional<ValueRange> range, Context& context);

// Dense data stays dense, but binned features are stored sparse when that takes less memory, and
// sparse data becomes dense only if that takes less (for example, z-scores and percentiles of
// nearly full features). Never needs more memory than the result and one query's column per thread.
// All ranks must call it, and use the same storage.
Dataset apply(const Transform& transform, const Dataset& data, Context& context);
// The same for the data that the transform was fitted to: target statistics are ordered ones, in an
// order of queries that depends on the context's seed.
Dataset apply_to_training(const Transform& transform, const Dataset& data, Context& context);

// For each feature, whether it is a number that is missing in some document of any rank. All ranks
// must call it.
std::vector<bool> missing_somewhere(const Dataset& data, Context& context);

std::string to_json(const Transform& transform);
Transform transform_from_json(std::string_view json, const std::string& file);
void save_transform(const Transform& transform, const std::string& path);
Transform load_transform(const std::string& path);

// Data cleaning, after [Chakrabarti08] section 4.1. The observer gets a note with the number of
// dropped documents; queries that become empty are dropped too.
//
// Documents without any value other than 0 (or missing).
Dataset drop_zero_vectors(const Dataset& data, Context& context);
// Every document that has, in its query, a document with a different label at cosine ≥ `similarity`
// (in 0 … 1): both are dropped, as in the paper. The paper has only relevant and non-relevant
// documents; use binarize_labels first to reproduce it. Missing counts as 0; two zero vectors count
// as similar, a zero vector and another do not.
Dataset drop_conflicts(const Dataset& data, double similarity, Context& context);

// Label 1 if it was at least `relevant_from`, else 0.
Dataset binarize_labels(const Dataset& data, double relevant_from);

// Labels that are not grades (counts, shares, …) as grades: the label's place among ascending
// edges, 0 below the first, 1 from it on, and so on.
Dataset bucket_labels(const Dataset& data, const std::vector<float>& edges);
// The edges of that many buckets with equally many distinct labels each, up to one; fewer buckets
// if there are fewer distinct labels.
std::vector<float> fit_label_edges(const Dataset& data, std::size_t buckets);

}  // namespace podium

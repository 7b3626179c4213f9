// Data with known structure, the same bytes on every machine: a document has hidden standard normal
// traits, its grade is a noisy non-linear function of them, and every feature is a noisy view of
// one trait, or of none. docs/reference/synth.md describes the whole model.
//
// Queries are generated independently: query q depends only on the seed and q, so the first N
// queries of a larger set are the set of N. The meaning of a feature depends only on its number,
// not on the seed: sets of two seeds are two samples of one population, as training and test data
// should be.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "podium/context.h"
#include "podium/dataset.h"
#include "podium/options.h"

namespace podium {

enum class SyntheticPreset { plain, mslr, letor, clicks, shop };
std::string_view to_text(SyntheticPreset preset);

struct SyntheticOptions {
  SyntheticPreset preset = SyntheticPreset::plain;
  std::int64_t queries = 1000;
  // 0: the preset's default.
  std::int64_t docs =
      0;  // per query; plain 50, mslr 120 on average, letor 30 on average, clicks 10, shop 20
  std::int64_t features = 0;  // plain 30, mslr 136, letor 46, clicks 30, shop 11 (always)
  std::int64_t grades = 0;    // plain 5, mslr 5, letor 3, clicks 5 (behind its 0/1 labels),
                              // shop 4 (always)
  std::int64_t hosts = 0;     // per query; 0: documents have no hosts
};
const OptionTable<SyntheticOptions>& synthetic_option_table();

// The kind of a feature.
enum class FeatureKind {
  signal,       // trait + noise
  shifted,      // signal plus an offset of the query
  count,        // a growing whole number of trait + noise, heavy-tailed
  heavy_tail,   // 1 / (1 − v)², v = trait + noise scaled into 0 … 0.99
  sparse,       // trait + noise where above 1, else 0
  noise,        // nothing
  constant,     // 1
  duplicate,    // an exact copy of an earlier feature
  query_level,  // the same for all documents of a query
};
std::string_view to_text(FeatureKind kind);

struct SyntheticFeature {
  FeatureKind kind;
  int trait = -1;     // signal, shifted, count, heavy_tail, sparse: which trait, from 0
  double noise = 0;   // standard deviation of what is added to it
  int original = -1;  // duplicate: of which feature, from 0
};
// One per feature, in order; none for the shop, whose columns have names.
std::vector<SyntheticFeature> synthetic_features(const SyntheticOptions& options);

// The seed is the context's.
Dataset make_synthetic(const SyntheticOptions& options, Context& context);

// Queries `first` … `last` − 1 of that set, for generating large sets piece by piece.
Dataset make_synthetic(const SyntheticOptions& options, std::uint64_t first, std::uint64_t last,
                       Context& context);

}  // namespace podium

#include "data/synthetic/synthetic_features.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace podium {
namespace {

using enum FeatureKind;

constexpr int kDuplicated = 2;
constexpr int kQueryKind = 7;

// The first 30 features; further blocks of 30 repeat them with more noise.
constexpr std::array<SyntheticFeature, 30> kBlock = {{
    {signal, 0, 0.8},
    {signal, 4, 0.4},
    {count, 1, 0.6},
    {signal, 5, 0.4},
    {signal, 6, 0.4},
    {shifted, 0, 0.6},
    {heavy_tail, 2, 0.8},
    {query_level},
    {signal, 8, 0.5},
    {signal, 9, 0.5},
    {noise},
    {sparse, 1, 0.6},
    {shifted, 2, 0.6},
    {count, 7, 0.5},
    {constant},
    {duplicate, -1, 0, kDuplicated},
    {signal, 3, 1.0},
    {heavy_tail, 4, 0.4},
    {query_level},
    {signal, 1, 1.5},
    {shifted, 5, 0.6},
    {count, 6, 0.6},
    {noise},
    {sparse, 0, 1.0},
    {signal, 7, 0.8},
    {heavy_tail, 8, 0.8},
    {count, 9, 0.8},
    {shifted, 3, 0.8},
    {noise},
    {signal, 0, 2.0},
}};

// Nearest multiple of 1 / steps.
double rounded(double x, double steps) {
  return static_cast<double>(static_cast<std::int64_t>(x * steps + (x < 0 ? -0.5 : 0.5))) / steps;
}

double count_of(double t) {
  if (t <= -1) return 0;
  const double square = (t + 1) * (t + 1);
  return static_cast<double>(static_cast<std::int64_t>(square * square / 2));
}

// x is nearly standard normal: median 4, one in a hundred above 20, at most 10,000.
double heavy_tail_of(double x) {
  const double v = std::clamp((x + 4) / 8, 0.0, 0.99);
  return 1 / ((1 - v) * (1 - v));
}

void scale_within_query(std::vector<double>& values, std::size_t features) {
  const std::size_t documents = values.size() / features;
  for (std::size_t f = 0; f < features; ++f) {
    double low = values[f], high = values[f];
    for (std::size_t d = 0; d < documents; ++d) {
      low = std::min(low, values[d * features + f]);
      high = std::max(high, values[d * features + f]);
    }
    for (std::size_t d = 0; d < documents; ++d) {
      double& x = values[d * features + f];
      x = low < high ? rounded((x - low) / (high - low), 1e6) : 0;
    }
  }
}

}  // namespace

std::string_view to_text(FeatureKind kind) {
  switch (kind) {
    case signal:
      return "signal";
    case shifted:
      return "shifted";
    case count:
      return "count";
    case heavy_tail:
      return "heavy-tail";
    case sparse:
      return "sparse";
    case noise:
      return "noise";
    case constant:
      return "constant";
    case duplicate:
      return "duplicate";
    case query_level:
      return "query-level";
  }
  return "";
}

std::vector<SyntheticFeature> synthetic_features(const SyntheticOptions& options) {
  const auto total = static_cast<std::size_t>(resolve(options).features);
  std::vector<SyntheticFeature> features;
  if (options.preset == SyntheticPreset::shop) return features;
  for (std::size_t f = 0; f < total; ++f) {
    SyntheticFeature feature = kBlock[f % kBlock.size()];
    const auto block = static_cast<int>(f / kBlock.size());
    feature.noise *= 1 + 0.75 * block;
    if (feature.original >= 0) feature.original += block * static_cast<int>(kBlock.size());
    features.push_back(feature);
  }
  return features;
}

FeatureView::FeatureView(const SyntheticOptions& resolved)
    : features_(synthetic_features(resolved)), scaled_(resolved.preset == SyntheticPreset::letor) {}

double FeatureView::value(const SyntheticFeature& feature, std::size_t number,
                          const SyntheticDocument& document, std::span<const double> of_query,
                          Random& random) const {
  if (feature.kind == query_level) return of_query[number];
  if (feature.kind == constant) return 1;
  if (feature.kind == noise) return rounded(random.uniform(), 1e4);
  const double t =
      document.trait[static_cast<std::size_t>(feature.trait)] + feature.noise * draw_normal(random);
  switch (feature.kind) {
    case shifted:
      return rounded(t + of_query[number], 1e4);
    case count:
      return count_of(t);
    case heavy_tail:
      return rounded(heavy_tail_of(t / std::sqrt(1 + feature.noise * feature.noise)), 1e3);
    case sparse:
      return t > 1 ? rounded(t, 1e4) : 0;
    default:
      return rounded(t, 1e4);
  }
}

void FeatureView::write(const SyntheticQuery& query, std::span<const SyntheticDocument> documents,
                        Random& random, std::span<float> out) const {
  const std::size_t n = features_.size();
  std::vector<double> of_query(n, 0.0);
  for (std::size_t f = 0; f < n; ++f) {
    if (features_[f].kind == shifted) of_query[f] = 2 * draw_normal(random);
    if (features_[f].kind != query_level) continue;
    if (f >= kBlock.size())
      of_query[f] = static_cast<double>(random.below(1000));
    else
      of_query[f] = f == kQueryKind ? query.kind : query.length;
  }
  std::vector<double> values(documents.size() * n);
  for (std::size_t d = 0; d < documents.size(); ++d)
    for (std::size_t f = 0; f < n; ++f) {
      const SyntheticFeature& feature = features_[f];
      values[d * n + f] = feature.kind == duplicate
                              ? values[d * n + static_cast<std::size_t>(feature.original)]
                              : value(feature, f, documents[d], of_query, random);
    }
  if (scaled_) scale_within_query(values, n);
  std::transform(values.begin(), values.end(), out.begin(),
                 [](double x) { return static_cast<float>(x); });
}

}  // namespace podium

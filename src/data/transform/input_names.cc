// Which inputs a feature becomes, and what they are called.
#include <algorithm>

#include <fmt/format.h>

#include "podium/transform.h"

namespace podium {
namespace {

std::vector<std::string> encoded_names(const CategoryEncoding& encoding, const Strings& values,
                                       const std::string& name) {
  std::vector<std::string> names;
  if (encoding.kind == Encoding::target) names.push_back(name + ":target");
  if (encoding.kind == Encoding::one_hot)
    for (std::size_t v = 0; v < values.size(); ++v)
      names.push_back(fmt::format("{}={}", name, values[v]));
  if (encoding.kind == Encoding::hash)
    for (std::size_t b = 0; b < kHashBuckets; ++b) names.push_back(fmt::format("{}#{}", name, b));
  return names;
}

}  // namespace

const CategoryEncoding* Transform::encoding(std::size_t kept) const {
  const auto found =
      std::lower_bound(encodings.begin(), encodings.end(), kept,
                       [](const CategoryEncoding& one, std::size_t f) { return one.feature < f; });
  return found != encodings.end() && found->feature == kept ? &*found : nullptr;
}

bool Transform::has_indicator(std::size_t kept) const {
  return std::binary_search(indicators.begin(), indicators.end(), kept);
}

std::size_t input_count(const Transform& transform, const FeatureSchema& schema, std::size_t kept) {
  if (const CategoryEncoding* encoding = transform.encoding(kept)) {
    if (encoding->kind == Encoding::target) return 1;
    return encoding->kind == Encoding::hash ? kHashBuckets : schema.values(kept)->size();
  }
  if (transform.thresholds.empty() || schema.values(kept)) return 1 + transform.has_indicator(kept);
  return transform.thresholds[kept].size() + transform.has_indicator(kept);
}

std::vector<std::string> input_names(const Transform& transform, const FeatureSchema& schema,
                                     std::size_t kept, const std::string& name) {
  if (const CategoryEncoding* encoding = transform.encoding(kept))
    return encoded_names(*encoding, *schema.values(kept), name);
  std::vector<std::string> names;
  if (transform.thresholds.empty() || schema.values(kept))
    names.push_back(name);
  else
    for (const float t : transform.thresholds[kept]) names.push_back(fmt::format("{}>{}", name, t));
  if (transform.has_indicator(kept)) names.push_back(name + "=missing");
  return names;
}

}  // namespace podium

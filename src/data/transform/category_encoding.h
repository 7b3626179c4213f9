// Categories as numbers: target statistics, and how other encodings place their ones.
#pragma once

#include <span>
#include <vector>

#include "podium/transform.h"

namespace podium {

// The encoding of every category of data that has the transform's kept features, as the option
// says. `data`: as read, with the kept features only.
std::vector<CategoryEncoding> fit_encodings(Encoding wanted, const Dataset& data, Context& context);

// The statistics of a category over all training documents, by code. `codes`: one per document.
std::vector<float> target_statistics(std::span<const float> codes, std::size_t values,
                                     const Dataset& data, Context& context);
// Ordered statistics, one per document: queries are assigned to kOrderGroups groups by a seeded
// hash of their features, and a document's statistic is that of the groups before its own.
inline constexpr std::size_t kOrderGroups = 128;
std::vector<float> ordered_statistics(std::span<const float> codes, std::size_t values,
                                      const Dataset& data, Context& context);

// The values of one feature, one per document.
std::vector<float> column_of(const Dataset& data, std::size_t feature);

std::size_t hash_bucket(std::string_view value);

}  // namespace podium

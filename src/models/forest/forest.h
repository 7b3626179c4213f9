// Forests, one document and one node at a time: the reference for fast_forest, which computes the
// same bits in blocks. An output starts at its base, then the offset feature and the trees' values
// are added in order, in double precision.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "podium/context.h"
#include "podium/dataset.h"
#include "podium/model.h"

namespace podium {

// The leaf that a document with these features reaches.
std::uint32_t find_leaf(const Tree& tree, const float* features);
// The longest path from the root to a leaf, in splits.
std::size_t depth(const Tree& tree);
// The tree's leaves from left to right.
std::vector<std::uint32_t> leaves_in_order(const Tree& tree);

// With a ForestScorer if that is faster.
std::vector<double> score(const Forest& forest, const Dataset& data, Context& context);
// The reference: walks every tree for every document.
std::vector<double> score_plainly(const Forest& forest, const Dataset& data, ThreadPool& pool);

// Base and offset: link.outputs() numbers per document; those of one document are contiguous.
std::vector<double> first_outputs(const Forest& forest, const Dataset& data, ThreadPool& pool);

// The leaf of every document in every tree: documents × trees.
std::vector<std::uint32_t> leaf_indices(const Forest& forest, const Dataset& data,
                                        ThreadPool& pool);

// The trees as text, one line per node, indented by depth; one name per feature, whose types are
// those of the schema.
std::string dump(const Forest& forest, std::span<const std::string> names,
                 const FeatureSchema& schema = {});
// "brand in {acme, zeta}", or "price <= 3".
std::string condition(const Tree& tree, std::size_t node, std::span<const std::string> names,
                      const FeatureSchema& schema);

}  // namespace podium

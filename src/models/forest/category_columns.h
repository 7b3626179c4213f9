// Category splits for fast_forest's kernels, which compare numbers: each split gets a column of its
// own in the block of documents, 0 for the documents that go left and 1 for the others, and is the
// comparison "≤ ½" to the kernels.
//
// A document's code is looked up once per feature, as an index among the codes that any set of the
// forest contains; two more indices stand for all other codes and for missing values. A set is then
// a row of bits by index, however large the codes are.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/forest/feature_block.h"
#include "podium/model.h"

namespace podium {

// The codes in use of each feature with category splits.
class CategoryIndex {
 public:
  CategoryIndex(std::span<const Tree> trees, const BlockColumns& columns);

  bool empty() const { return features_.empty(); }
  std::size_t features() const { return features_.size(); }
  // One row of bits per set: 1 goes left.
  std::size_t words(std::size_t feature) const {
    return (features_[feature].codes.size() + 33) / 32;
  }
  std::size_t feature_of(std::uint32_t column) const;
  void append_bits(std::size_t feature, const std::vector<std::uint32_t>& codes, bool missing_left,
                   std::vector<std::uint32_t>& bits) const;

  // The index of each document's code: features() × kBlock.
  void look_up(const float* block, std::size_t documents, std::uint32_t* out) const;

 private:
  struct Feature {
    std::uint32_t column;
    std::vector<std::uint32_t> codes;  // in any set, ascending
    std::vector<std::uint32_t> index;  // by code, up to the last one; none if that is large

    std::uint32_t index_of(std::uint32_t code) const;
  };
  std::vector<Feature> features_;
};

// The columns of some trees' category splits, in the order of their nodes.
struct CategoryColumns {
  struct Column {
    std::uint32_t feature;  // of the CategoryIndex
    std::uint32_t first;    // of its bits
  };
  std::vector<Column> columns;
  std::vector<std::uint32_t> bits;

  void append(const Tree& tree, const CategoryIndex& index, const BlockColumns& block);
  // Writes columns.size() × kBlock values.
  void fill(const std::uint32_t* indices, std::size_t documents, float* out) const;
};

}  // namespace podium

// Trees compiled for scoring many documents: the same bits as walking the trees (forest.h), in a
// fraction of the time. Documents are processed in blocks, see fast_forest_layout.h; category
// splits are columns of the block, see category_columns.h.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "models/forest/category_columns.h"
#include "models/forest/fast_forest_layout.h"
#include "models/forest/feature_block.h"
#include "podium/context.h"
#include "podium/dataset.h"
#include "podium/model.h"

namespace podium {

class FastForest {
 public:
  // Trees over `features` features, for `outputs` outputs in turn. The trees need not outlive this
  // object.
  FastForest(std::span<const Tree> trees, std::size_t outputs, std::size_t features);

  // Adds the value of tree t to output t mod outputs of every document, tree by tree. `sums` has
  // one number per document and output; those of one document are contiguous.
  void add_to(std::span<double> sums, const Dataset& data, ThreadPool& pool) const;

 private:
  std::size_t outputs_;
  BlockColumns columns_;
  CategoryIndex categories_;
  // So few trees at a time that the columns of their category splits stay in the cache.
  struct Part {
    FastTrees trees;
    CategoryColumns splits;
  };
  std::vector<Part> parts_;
  std::size_t most_splits_ = 0;  // of a part
};

}  // namespace podium

// Scores one data set with trees, on Context::device: the same bits as walking the trees
// (forest.h). The data is sent to the device once, for any number of trees; the outputs stay there
// until they are requested. So it is used both to score with a whole forest and for the validation
// data during training, to which each round adds its trees.
//
// For serving, which scores a few documents at a time with trees that were compiled once, see
// compiled_model.h.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "podium/context.h"
#include "podium/dataset.h"
#include "podium/model.h"

namespace podium {

class ForestScorer {
 public:
  virtual ~ForestScorer() = default;

  // The initial outputs; those of one document are contiguous. Call it first.
  virtual void start(std::vector<double> outputs) = 0;
  // Adds the value of tree t to output t mod outputs of every document, tree by tree.
  virtual void add(std::span<const Tree> trees) = 0;
  // The outputs on the host, valid until the next call of start() or add().
  virtual std::span<const double> outputs() = 0;
};

// How often trees are added: once, or many times, for which a device keeps as much of the data in
// its memory as fits.
enum class ScorerUse { once, often };

// For trees over the data's features with this many outputs in turn. Data and context must outlive
// the scorer. Throws an Error for a device that cannot score.
std::unique_ptr<ForestScorer> make_forest_scorer(const Dataset& data, std::size_t outputs,
                                                 ScorerUse use, Context& context);

}  // namespace podium

// Scores of one data set by trees, on the device that Context::device names: the same bits as
// walking down the trees (forest.h). The data goes to the device once, however many trees follow;
// the outputs stay there, and come back when they are asked for. So it serves the scoring of a
// whole forest as well as the validation data of a training, to which each round adds its trees.
//
// Serving scores a few documents at a time with trees that were compiled once: compiled_model.h.
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

  // The outputs to begin from, those of one document side by side. Comes first.
  virtual void start(std::vector<double> outputs) = 0;
  // Adds the value of tree t to output t mod outputs of every document, tree after tree.
  virtual void add(std::span<const Tree> trees) = 0;
  // As they are on the host, until the next call of start() or add().
  virtual std::span<const double> outputs() = 0;
};

// For trees over the data's features with so many outputs in turn. Data and context must outlive
// the scorer. Error for a device that cannot score.
std::unique_ptr<ForestScorer> make_forest_scorer(const Dataset& data, std::size_t outputs,
                                                 Context& context);

}  // namespace podium

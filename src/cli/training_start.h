// `podium train --init`: where training starts. A model file to go on from, `feature:NAME` whose
// value every score begins with, or a scores file (one number a line) with one for --valid beside
// it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "podium/data_io.h"
#include "podium/learner.h"
#include "podium/model.h"

namespace podium::cli {

class TrainingStart {
 public:
  TrainingStart(std::string init, std::string valid_init);

  // The model to go on from: its transform prepares the data.
  const SavedModel* model() const { return model_ ? &*model_ : nullptr; }
  // Reads what depends on the data: `train` and `valid` as read, `prepared` as the learner sees it.
  // All ranks call it together.
  TrainingProblem::Start start(const Dataset& train, const Dataset* valid, const Dataset& prepared,
                               Context& context);

 private:
  std::string init_, valid_init_;
  std::optional<SavedModel> model_;
  std::vector<double> train_offset_, valid_offset_;
};

}  // namespace podium::cli

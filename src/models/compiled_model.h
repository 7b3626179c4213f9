// A model made ready to score small batches again and again: trees are compiled once, and inputs
// that need no transform are not copied.
#pragma once

#include <optional>
#include <vector>

#include "models/fast_forest.h"
#include "podium/model.h"

namespace podium {

class CompiledModel {
 public:
  explicit CompiledModel(SavedModel saved);

  const SavedModel& saved() const noexcept { return saved_; }
  // Data whose features are the model's, in order. In the calling thread; safe to call from
  // several.
  std::vector<double> score(const Dataset& data) const;

 private:
  SavedModel saved_;
  bool needs_transform_;
  std::optional<FastForest> trees_;
};

}  // namespace podium

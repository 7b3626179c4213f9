// A model compiled for scoring many small batches: trees are compiled once, and inputs that need no
// transform are not copied.
#pragma once

#include <memory>
#include <vector>

#include "podium/dataset.h"
#include "podium/model.h"

namespace podium {

class FastForest;  // models/forest/fast_forest.h

class CompiledModel {
 public:
  explicit CompiledModel(SavedModel saved);
  ~CompiledModel();
  CompiledModel(CompiledModel&&) noexcept;
  CompiledModel& operator=(CompiledModel&&) noexcept;

  const SavedModel& saved() const noexcept { return saved_; }
  // Data whose features are the model's, in order; where its schema is saved().schema itself, codes
  // of categories need no matching. In the calling thread, on the CPU; safe to call
  // from several.
  std::vector<double> score(const Dataset& data) const;

 private:
  SavedModel saved_;
  bool needs_transform_;
  std::unique_ptr<const FastForest> trees_;
  struct Member;  // of a blend
  std::vector<Member> members_;
};

}  // namespace podium

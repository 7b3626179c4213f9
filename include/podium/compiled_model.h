// A model compiled for scoring many small batches: trees are compiled once, or sent to a device
// once, and inputs that need no transform are not copied.
#pragma once

#include <memory>
#include <vector>

#include "podium/dataset.h"
#include "podium/device.h"
#include "podium/model.h"

namespace podium {

class FastForest;      // models/forest/fast_forest.h
class ResidentForest;  // models/forest/device/resident_forest.h

class CompiledModel {
 public:
  // Batches of this many documents or more are scored on the device, if it is not the CPU and the
  // model has trees: smaller ones are on the way for longer than they take.
  static constexpr std::size_t kFewestOnDevice = 1024;
  explicit CompiledModel(SavedModel saved, const Device& device = {});
  ~CompiledModel();
  CompiledModel(CompiledModel&&) noexcept;
  CompiledModel& operator=(CompiledModel&&) noexcept;

  const SavedModel& saved() const noexcept { return saved_; }
  // Data whose features are the model's, in order; where its schema is saved().schema itself, codes
  // of categories need no matching. In the calling thread; safe to call from several.
  std::vector<double> score(const Dataset& data) const;
  // Whether it has trees that are on the device.
  bool uses_device() const noexcept;

 private:
  SavedModel saved_;
  bool needs_transform_;
  std::unique_ptr<const FastForest> trees_;
  std::unique_ptr<ResidentForest> resident_;  // null: on the CPU
  struct Member;                              // of a blend
  std::vector<Member> members_;
};

}  // namespace podium

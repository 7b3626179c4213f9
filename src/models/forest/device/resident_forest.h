// A forest whose trees stay in a device's memory, to score one batch of documents after another:
// for serving. The same bits as on the CPU. Batches of several threads take turns.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>

#include "device/upload_stage.h"
#include "models/forest/device/device_trees.h"
#include "models/forest/feature_block.h"
#include "podium/dataset.h"

namespace podium {

class ResidentForest {
 public:
  // The trees need not outlive this object.
  ResidentForest(const Forest& forest, std::unique_ptr<DeviceQueue> queue);

  // Adds the value of tree t to output t mod outputs of every document, tree by tree.
  void add_to(std::span<double> sums, const Dataset& data);

 private:
  void add_piece(std::span<double> sums, const Dataset& data, std::size_t begin);

  std::unique_ptr<DeviceQueue> queue_;  // the first member: the last to go
  std::size_t outputs_;
  BlockColumns columns_;
  std::size_t piece_;  // documents at a time
  std::uint32_t staged_;
  DeviceTrees trees_;
  UploadStage<float> stage_;
  DeviceArray<float> values_;
  DeviceArray<double> sums_;
  std::mutex mutex_;  // for all of it
};

}  // namespace podium

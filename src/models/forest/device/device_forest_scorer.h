// Scores with trees on a device with its own memory (forest_scorer.h): outputs and the features in
// use stay there.
#pragma once

#include <memory>
#include <vector>

#include "models/forest/device/device_columns.h"
#include "models/forest/device/device_trees.h"
#include "models/forest/forest_scorer.h"

namespace podium {

class DeviceForestScorer final : public ForestScorer {
 public:
  // `most_bytes`: of features in the device's memory. Data whose features need more is scored in
  // slices of documents, which are sent again for each add().
  DeviceForestScorer(const Dataset& data, std::size_t outputs, std::unique_ptr<DeviceQueue> queue,
                     Context& context, std::uint64_t most_bytes);

  void start(std::vector<double> outputs) override;
  void add(std::span<const Tree> trees) override;
  std::span<const double> outputs() override;

 private:
  void add_slice(std::uint64_t begin, std::uint64_t end, std::span<const Tree> trees,
                 std::span<const std::uint32_t> features);

  std::unique_ptr<DeviceQueue> queue_;  // the first member: the last to go
  const Dataset& data_;
  ThreadPool& pool_;
  std::size_t width_;
  DeviceColumns columns_;
  DeviceTrees trees_;
  DeviceArray<double> outputs_;
  std::vector<double> host_outputs_;
  bool outputs_sent_ = false;     // to the device
  bool outputs_changed_ = false;  // since the host got them
};

}  // namespace podium

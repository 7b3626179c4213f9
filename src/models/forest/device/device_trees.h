// Trees in a device's memory, for the kernel of forest_kernels.h. They arrive in one piece, so that
// sending one small tree costs little.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "device/device_array.h"
#include "models/forest/device/forest_kernels.h"
#include "models/forest/feature_block.h"
#include "podium/model.h"

namespace podium {

class DeviceTrees {
 public:
  // `columns`: the column of each feature that the trees use; `used`: see AddTreesArgs.
  void upload(std::span<const Tree> trees, std::span<const std::uint32_t> column_of,
              std::span<const std::uint32_t> used, DeviceQueue& queue);

  // Valid until the next upload().
  const TreesView& view() const { return view_; }
  const std::uint32_t* used() const { return used_; }

 private:
  void append(const Tree& tree, std::span<const std::uint32_t> column_of);
  std::uint32_t append_set(const std::vector<std::uint32_t>& codes);

  // What is sent next.
  std::vector<std::int32_t> roots_;
  std::vector<ForestNode> nodes_;
  std::vector<double> values_;
  std::vector<CategorySet> sets_;
  std::vector<std::uint32_t> codes_;
  std::vector<std::byte> packed_;

  DeviceArray<std::byte> memory_;
  TreesView view_ = {};
  const std::uint32_t* used_ = nullptr;
};

}  // namespace podium

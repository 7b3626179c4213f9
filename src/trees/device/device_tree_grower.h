// Grows trees on a device with its own memory: scores, derivatives and leaves of all documents stay
// there (tree_grower.h). The host has copies of scores and derivatives, which are brought up to
// date when it asks for them, or has written them.
#pragma once

#include <memory>
#include <vector>

#include "trees/derivative_scale.h"
#include "trees/device/device_tree_engine.h"
#include "trees/tree_grower.h"
#include "trees/tree_shape.h"

namespace podium {

class DeviceTreeGrower final : public TreeGrower {
 public:
  DeviceTreeGrower(const Setup& setup, std::unique_ptr<DeviceQueue> queue, Context& context);

  std::span<const double> scores() override;
  void set_scores(std::span<const double> scores) override;
  DerivativeBuffers derivatives() override;
  std::optional<OnDevice> on_device() override;
  Tree grow(const TreeRequest& request) override;
  void add(std::size_t output, std::span<const double> values) override;
  void look_up(std::size_t output, std::span<const double> values,
               std::span<double> out) const override;

 private:
  std::size_t documents() const noexcept { return scores_.size() / outputs_; }
  DerivativeScale scale_of(std::size_t output);
  std::uint32_t* leaf_of(std::size_t output);
  const std::uint32_t* leaf_of(std::size_t output) const;

  std::unique_ptr<DeviceQueue> queue_;  // the first member: the last to go
  Context& context_;
  std::size_t outputs_;
  double counted_documents_;
  std::unique_ptr<TreeShape> shape_;
  DeviceTreeEngine engine_;
  DeviceArray<double> scores_, first_, second_;          // outputs_ per document
  std::vector<DeviceArray<std::uint32_t>> own_leaf_of_;  // of several outputs
  DeviceArray<TotalDigits> total_;
  mutable DeviceArray<double> values_, looked_up_;
  std::vector<double> host_scores_, host_first_, host_second_;
  bool scores_changed_ = true;      // since they were downloaded
  bool derivatives_given_ = false;  // to the host, which may have written them
};

}  // namespace podium

#include "trees/device/device_tree_grower.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/exact_sum.h"
#include "distributed/over_ranks.h"

namespace podium {

DeviceTreeGrower::DeviceTreeGrower(const Setup& setup, std::unique_ptr<DeviceQueue> queue,
                                   Context& context)
    : queue_(std::move(queue)),
      context_(context),
      outputs_(setup.outputs),
      counted_documents_(setup.counted_documents),
      shape_(make_tree_shape(setup.data, setup.options, context)),
      engine_(setup.data, shape_->options().monotone, *queue_, context),
      scores_(*queue_, setup.data.documents() * outputs_),
      first_(*queue_, scores_.size()),
      second_(*queue_, scores_.size()),
      total_(*queue_, 1) {
  scores_.clear();
  if (outputs_ > 1)
    for (std::size_t k = 0; k < outputs_; ++k) own_leaf_of_.emplace_back(*queue_, documents());
}

// With one output a tree's leaves are not needed after the next one has been begun.
std::uint32_t* DeviceTreeGrower::leaf_of(std::size_t output) {
  return own_leaf_of_.empty() ? engine_.spare_leaf_of() : own_leaf_of_[output].data();
}
const std::uint32_t* DeviceTreeGrower::leaf_of(std::size_t output) const {
  return own_leaf_of_.empty() ? engine_.spare_leaf_of() : own_leaf_of_[output].data();
}

std::span<const double> DeviceTreeGrower::scores() {
  if (std::exchange(scores_changed_, false)) {
    host_scores_.resize(scores_.size());
    scores_.download(host_scores_);
  }
  return host_scores_;
}

void DeviceTreeGrower::set_scores(std::span<const double> scores) {
  scores_.upload(scores);
  scores_changed_ = true;
}

TreeGrower::DerivativeBuffers DeviceTreeGrower::derivatives() {
  host_first_.resize(first_.size());
  host_second_.resize(second_.size());
  derivatives_given_ = true;
  return {host_first_, host_second_};
}

std::optional<TreeGrower::OnDevice> DeviceTreeGrower::on_device() {
  derivatives_given_ = false;
  return OnDevice{queue_.get(), scores_.data(), first_.data(), second_.data()};
}

DerivativeScale DeviceTreeGrower::scale_of(std::size_t output) {
  if (shape_->options().leaf_value == TreeOptions::LeafValue::gradient) return {};
  total_.clear();
  const auto blocks = static_cast<std::uint32_t>(std::min<std::size_t>(
      queue_->busy_blocks(), (documents() + TotalKernel::kThreads - 1) / TotalKernel::kThreads));
  queue_->run<TotalKernel>(blocks,
                           {second_.data(), static_cast<std::uint32_t>(outputs_),
                            static_cast<std::uint32_t>(output), documents(), total_.data()},
                           sizeof(TotalKernel::Shared));
  TotalDigits digits;
  static_assert(sizeof digits == ExactSum::byte_count());
  total_.download(std::span(&digits, 1));
  const ExactSum mine = ExactSum::from_bytes(std::as_bytes(std::span(&digits, 1)));
  return DerivativeScale::of(sum_over_ranks(mine, context_.comm), counted_documents_);
}

Tree DeviceTreeGrower::grow(const TreeRequest& request) {
  if (std::exchange(derivatives_given_, false)) {
    const WorkPhase phase(context_.pool, "derivatives to the device");
    first_.upload(host_first_);
    second_.upload(host_second_);
  }
  const TreeOptions& options = shape_->options();
  const DerivativeScale scale = scale_of(request.output);
  engine_.set_target(
      {.derivatives = {.first = first_.data(),
                       .second = second_.data(),
                       .outputs = static_cast<std::uint32_t>(outputs_),
                       .output = static_cast<std::uint32_t>(request.output),
                       .scale = scale,
                       .flat = options.leaf_value == TreeOptions::LeafValue::gradient},
       .sample = request.sample,
       .number = request.number,
       .l2 = options.l2},
      leaf_of(request.output));
  GrownTree grown = shape_->grow(engine_, request.number);
  engine_.write_leaves(grown.tree);
  for (Tree::Node& node : grown.tree.nodes) node.gain *= scale.unit;
  return std::move(grown.tree);
}

void DeviceTreeGrower::add(std::size_t output, std::span<const double> values) {
  values_.assign(*queue_, values);
  queue_->run_each<AddValuesKernel>(
      documents(),
      {leaf_of(output), values_.data(), documents(), static_cast<std::uint32_t>(outputs_),
       static_cast<std::uint32_t>(output), scores_.data()});
  scores_changed_ = true;
}

void DeviceTreeGrower::look_up(std::size_t output, std::span<const double> values,
                               std::span<double> out) const {
  values_.assign(*queue_, values);
  looked_up_.resize(*queue_, documents());
  queue_->run_each<LookUpKernel>(documents(),
                                 {leaf_of(output), values_.data(), documents(), looked_up_.data()});
  looked_up_.download(out);
}

}  // namespace podium

#include "losses/device/device_sum.h"

#include <numeric>
#include <utility>

#include "losses/device/sum_kernels.h"

namespace podium {
namespace {

class DeviceSum final : public DeviceLoss {
 public:
  DeviceSum(std::vector<DeviceSumPart> parts, std::size_t outputs, LossTraits::Weights weights,
            const DeviceLossSite& site)
      : DeviceLoss(site),
        parts_(std::move(parts)),
        outputs_(static_cast<std::uint32_t>(outputs)),
        weights_(weights),
        first_(queue(), site.query_begin.back() * outputs),
        second_(queue(), first_.size()) {
    std::vector<std::uint32_t> all(site.queries());
    std::iota(all.begin(), all.end(), 0U);
    queries_ = DeviceArray<std::uint32_t>(queue(), std::span<const std::uint32_t>(all));
  }

 protected:
  void launch(const LossArrays& arrays) override {
    for (const DeviceSumPart& part : parts_) {
      part.loss->start({arrays.scores, first_.data(), second_.data()});
      add(part, first_.data(), first_.size(), arrays.first);
      add(part, second_.data(), second_.size(), arrays.second);
      add(part, part.loss->values(), queries_.size(), arrays.value);
    }
    queue().run<FinishSumKernel>(static_cast<std::uint32_t>(queries_.size()),
                                 {.smooth = {.arrays = arrays,
                                             .queries = queries_.data(),
                                             .weight = nullptr,
                                             .query_weight = nullptr,
                                             .target = nullptr,
                                             .outputs = outputs_},
                                  .squares = weights_ == LossTraits::Weights::frozen},
                                 sizeof(QueryBlockShared<FinishSumKernel::kThreads>));
  }

 private:
  void add(const DeviceSumPart& part, const double* from, std::size_t count, double* sum) {
    queue().run_each<AddPartKernel>(count, {from, part.weight, &part == &parts_[0], count, sum});
  }

  std::vector<DeviceSumPart> parts_;
  std::uint32_t outputs_;
  LossTraits::Weights weights_;
  DeviceArray<double> first_, second_;  // of one part
  DeviceArray<std::uint32_t> queries_;
};

}  // namespace

std::unique_ptr<DeviceLoss> device_sum(std::vector<DeviceSumPart> parts, std::size_t outputs,
                                       LossTraits::Weights weights, const DeviceLossSite& site) {
  return std::make_unique<DeviceSum>(std::move(parts), outputs, weights, site);
}

}  // namespace podium

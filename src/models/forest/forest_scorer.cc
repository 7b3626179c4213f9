#include "models/forest/forest_scorer.h"

#include <algorithm>
#include <utility>

#include "models/forest/device/device_forest_scorer.h"
#include "models/forest/fast_forest.h"

namespace podium {
namespace {

class CpuForestScorer final : public ForestScorer {
 public:
  CpuForestScorer(const Dataset& data, std::size_t outputs, ThreadPool& pool)
      : data_(data), pool_(pool), width_(outputs) {}

  void start(std::vector<double> outputs) override { outputs_ = std::move(outputs); }
  void add(std::span<const Tree> trees) override {
    FastForest(trees, width_, data_.features()).add_to(outputs_, data_, pool_);
  }
  std::span<const double> outputs() override { return outputs_; }

 private:
  const Dataset& data_;
  ThreadPool& pool_;
  std::size_t width_;
  std::vector<double> outputs_;
};

// Enough to keep a device busy with one slice of the data while the next one is sent.
constexpr std::uint64_t kSliceBytes = std::uint64_t{64} << 20;

// No more than half of what is free beside the outputs: training needs memory, too.
std::uint64_t most_column_bytes(const DeviceQueue& queue, std::uint64_t outputs, ScorerUse use) {
  const std::uint64_t free = queue.free_bytes(), needed = outputs * sizeof(double);
  const std::uint64_t most = free > needed ? (free - needed) / 2 : 0;
  return use == ScorerUse::once ? std::min(most, kSliceBytes) : most;
}

}  // namespace

std::unique_ptr<ForestScorer> make_forest_scorer(const Dataset& data, std::size_t outputs,
                                                 ScorerUse use, Context& context) {
  if (context.device.kind == Device::Kind::cpu)
    return std::make_unique<CpuForestScorer>(data, outputs, context.pool);
  auto queue = open_device(context);
  const std::uint64_t most_bytes = most_column_bytes(*queue, data.documents() * outputs, use);
  return std::make_unique<DeviceForestScorer>(data, outputs, std::move(queue), context, most_bytes);
}

}  // namespace podium

#include "models/forest/forest_scorer.h"

#include <utility>

#include "models/forest/fast_forest.h"
#include "podium/error.h"

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

}  // namespace

std::unique_ptr<ForestScorer> make_forest_scorer(const Dataset& data, std::size_t outputs,
                                                 Context& context) {
  if (context.device.kind == Device::Kind::cpu)
    return std::make_unique<CpuForestScorer>(data, outputs, context.pool);
  throw Error(ErrorCode::usage, "forests cannot score on this device");
}

}  // namespace podium

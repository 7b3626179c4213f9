#include "losses/device/device_grade_pairs.h"

#include <array>
#include <utility>

#include "losses/device/grade_pair_kernels.h"
#include "losses/device/no_derivatives_kernel.h"

namespace podium {
namespace {

// A list in one class gets the shared memory of the longest one.
constexpr std::array<std::size_t, 3> kLists = {128, 256, kMostPairedDocuments};
static_assert(LogisticPairsKernel::shared_bytes(kLists.back()) <= kMostShared);

// By place: where the lower grades begin.
std::vector<std::uint32_t> group_ends(const DeviceGradePairRule& rule) {
  const Dataset& data = rule.data;
  std::vector<std::uint32_t> ends(data.documents());
  for (std::size_t q = 0; q < data.queries(); ++q) {
    const auto labels = data.labels(q);
    const auto order = rule.order.subspan(data.begin(q), labels.size());
    std::size_t end = labels.size();
    for (std::size_t place = labels.size(); place-- > 0;) {
      if (place + 1 < labels.size() && labels[order[place]] != labels[order[place + 1]])
        end = place + 1;
      ends[data.begin(q) + place] = static_cast<std::uint32_t>(end);
    }
  }
  return ends;
}

class DeviceGradePairs final : public DeviceLoss {
 public:
  DeviceGradePairs(const DeviceGradePairRule& rule, const DeviceLossSite& site)
      : DeviceLoss(site),
        kind_(rule.kind),
        order_(queue(), rule.order),
        group_end_(queue(), std::span<const std::uint32_t>(group_ends(rule))),
        grade_(queue(), rule.data.labels()),
        weight_(queue(), rule.data.parts().document_weights.view()),
        scale_(queue(), rule.scale) {
    std::vector<std::uint32_t> informative, others;
    for (std::uint32_t q = 0; q < rule.scale.size(); ++q)
      (rule.scale[q] > 0 ? informative : others).push_back(q);
    const auto classes = queries_by_length(site.query_begin, informative, kLists);
    for (std::size_t c = 0; c < kLists.size(); ++c) upload(queries_[c], classes[c]);
    upload(uninformative_, others);
    args_ = {.arrays = {},
             .queries = nullptr,
             .order = order_.data(),
             .group_end = group_end_.data(),
             .grade = grade_.data(),
             .weight = weight_.data(),
             .scale = scale_.data(),
             .shape = rule.shape,
             .sigma = rule.sigma,
             .largest_range = rule.largest_range,
             .tie = rule.tie,
             .by_grade = rule.by_grade,
             .room = 0};
  }

 protected:
  void launch(const LossArrays& arrays) override {
    GradePairArgs args = args_;
    args.arrays = arrays;
    // The longest lists first: others fill the gaps.
    for (std::size_t c = kLists.size(); c-- > 0;) {
      args.queries = queries_[c].data();
      args.room = static_cast<std::uint32_t>(kLists[c]);
      start(static_cast<std::uint32_t>(queries_[c].size()), args);
    }
    queue().run<NoDerivativesKernel>(static_cast<std::uint32_t>(uninformative_.size()),
                                     {arrays, uninformative_.data()}, sizeof(std::uint32_t));
  }

 private:
  void start(std::uint32_t blocks, const GradePairArgs& args) {
    const auto run = [&]<class Kernel>(std::type_identity<Kernel>) {
      queue().run<Kernel>(blocks, args, Kernel::shared_bytes(args.room));
    };
    switch (kind_) {
      case PairKind::logistic:
        return run(std::type_identity<LogisticPairsKernel>());
      case PairKind::exponential:
        return run(std::type_identity<ExponentialPairsKernel>());
      case PairKind::fidelity:
        return run(std::type_identity<FidelityPairsKernel>());
      case PairKind::hinge:
        return run(std::type_identity<HingePairsKernel>());
      case PairKind::squared_hinge:
        return run(std::type_identity<SquaredHingePairsKernel>());
      case PairKind::margin:
        return run(std::type_identity<MarginPairsKernel>());
      case PairKind::literal_margin:
        return run(std::type_identity<LiteralMarginPairsKernel>());
    }
  }

  void upload(DeviceArray<std::uint32_t>& to, std::span<const std::uint32_t> values) {
    to = DeviceArray<std::uint32_t>(queue(), values);
  }

  PairKind kind_;
  DeviceArray<std::uint32_t> order_, group_end_;
  DeviceArray<float> grade_, weight_;
  DeviceArray<double> scale_;
  std::array<DeviceArray<std::uint32_t>, kLists.size()> queries_;
  DeviceArray<std::uint32_t> uninformative_;
  GradePairArgs args_;
};

}  // namespace

std::unique_ptr<DeviceLoss> device_grade_pairs(const DeviceGradePairRule& rule,
                                               const DeviceLossSite& site) {
  for (std::size_t q = 0; q < rule.data.queries(); ++q)
    if (rule.data.end(q) - rule.data.begin(q) > kMostPairedDocuments) return nullptr;
  return std::make_unique<DeviceGradePairs>(rule, site);
}

}  // namespace podium

#include "losses/device/device_smooth.h"

#include <algorithm>

#include "losses/device/smooth_kernels.h"

namespace podium {
namespace {

// What all smooth losses need of the data.
class DeviceSmooth : public DeviceLoss {
 public:
  DeviceSmooth(const Dataset& data, std::span<const double> target, std::size_t outputs,
               const DeviceLossSite& site)
      : DeviceLoss(site),
        outputs_(static_cast<std::uint32_t>(outputs)),
        target_(queue(), target),
        weight_(queue(), data.parts().document_weights.view()) {
    std::vector<double> query_weights;
    std::vector<std::uint32_t> all;
    for (std::uint32_t q = 0; q < data.queries(); ++q) {
      query_weights.push_back(data.query_weight(q));
      all.push_back(q);
    }
    query_weight_ = DeviceArray<double>(queue(), std::span<const double>(query_weights));
    const auto longest_first = queries_by_length(site.query_begin, all, {});
    queries_ =
        DeviceArray<std::uint32_t>(queue(), std::span<const std::uint32_t>(longest_first.front()));
  }

 protected:
  SmoothLossArgs args(const LossArrays& arrays) const {
    return {.arrays = arrays,
            .queries = queries_.data(),
            .weight = weight_.data(),
            .query_weight = query_weight_.data(),
            .target = target_.data(),
            .outputs = outputs_};
  }
  template <class Kernel>
  void start(const typename Kernel::Args& args) {
    queue().template run<Kernel>(static_cast<std::uint32_t>(queries_.size()), args,
                                 sizeof(QueryBlockShared<Kernel::kThreads>));
  }

 private:
  std::uint32_t outputs_;
  DeviceArray<double> target_, query_weight_;
  DeviceArray<float> weight_;
  DeviceArray<std::uint32_t> queries_;
};

class DeviceTargets final : public DeviceSmooth {
 public:
  DeviceTargets(SmoothLoss loss, const Dataset& data, std::span<const double> target,
                const DeviceLossSite& site)
      : DeviceSmooth(data, target, 1, site), loss_(loss) {}

 protected:
  void launch(const LossArrays& arrays) override {
    switch (loss_) {
      case SmoothLoss::squared:
        return start<SquaredKernel>(args(arrays));
      case SmoothLoss::query_squared:
        return start<QuerySquaredKernel>(args(arrays));
      case SmoothLoss::cross_entropy:
        return start<CrossEntropyKernel>(args(arrays));
    }
  }

 private:
  SmoothLoss loss_;
};

// The class of each document, or, compared with thresholds, its grade.
std::vector<double> class_targets(GradeClassLoss loss, const Dataset& data,
                                  std::span<const double> grades) {
  std::vector<double> target;
  for (const float label : data.labels())
    target.push_back(
        loss == GradeClassLoss::ordinal
            ? label
            : static_cast<double>(std::lower_bound(grades.begin(), grades.end(), double{label}) -
                                  grades.begin()));
  return target;
}

class DeviceGradeClasses final : public DeviceSmooth {
 public:
  DeviceGradeClasses(GradeClassLoss loss, const Dataset& data, std::span<const double> grades,
                     double least_curvature, const DeviceLossSite& site)
      : DeviceSmooth(data, class_targets(loss, data, grades),
                     loss == GradeClassLoss::ordinal ? grades.size() - 1 : grades.size(), site),
        loss_(loss),
        least_curvature_(least_curvature),
        grades_(queue(), grades) {}

 protected:
  void launch(const LossArrays& arrays) override {
    const GradeClassesArgs with{args(arrays), grades_.data(), least_curvature_};
    if (loss_ == GradeClassLoss::multinomial)
      start<MultinomialKernel>(with);
    else
      start<OrdinalKernel>(with);
  }

 private:
  GradeClassLoss loss_;
  double least_curvature_;
  DeviceArray<double> grades_;
};

}  // namespace

std::unique_ptr<DeviceLoss> device_smooth_loss(SmoothLoss loss, const Dataset& data,
                                               std::span<const double> target,
                                               const DeviceLossSite& site) {
  return std::make_unique<DeviceTargets>(loss, data, target, site);
}

std::unique_ptr<DeviceLoss> device_grade_class_loss(GradeClassLoss loss, const Dataset& data,
                                                    std::span<const double> grades,
                                                    double least_curvature,
                                                    const DeviceLossSite& site) {
  return std::make_unique<DeviceGradeClasses>(loss, data, grades, least_curvature, site);
}

}  // namespace podium

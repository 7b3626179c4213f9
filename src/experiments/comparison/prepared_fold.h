// One fold for the systems of a comparison: read once, prepared once per kind of preparation,
// binned once for all trees. Cells that run in parallel share it.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "experiments/comparison/design.h"
#include "podium/training.h"

namespace podium {

class PreparedFold {
 public:
  explicit PreparedFold(FoldData data) : data_(std::move(data)) {}

  struct View : PreparedData {
    Dataset test;
  };
  // As in prepare(). `feature`: the only one to use, or "".
  std::shared_ptr<const View> view(const TransformOptions& steps, const std::string& feature,
                                   const Learner& learner, Context& context);
  const FoldData& data() const noexcept { return data_; }

 private:
  // Every member of TransformOptions, the feature, and whether rows are in order.
  struct Way {
    std::string features, feature;
    Normalization normalize;
    BinRule bin_rule;
    std::int64_t log1p, bins;
    bool in_order;
    auto operator<=>(const Way&) const = default;
  };
  FoldData data_;
  std::mutex mutex_;
  std::map<Way, std::shared_ptr<const View>> views_;
};

std::shared_ptr<const PreparedFold::View> prepare_view(const FoldData& data,
                                                       const TransformOptions& steps,
                                                       const std::string& feature,
                                                       const Learner& learner, Context& context);

}  // namespace podium

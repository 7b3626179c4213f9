// ListNet's cross entropy.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "podium/loss.h"

namespace podium {

enum class SoftmaxTarget { labels, gains };  // softmax of the grades, gains over their sum
inline const Choices<SoftmaxTarget>& softmax_targets() {
  static const Choices<SoftmaxTarget> choices = {{"labels", SoftmaxTarget::labels},
                                                 {"gains", SoftmaxTarget::gains}};
  return choices;
}

struct SoftmaxOptions {
  SoftmaxTarget target = SoftmaxTarget::labels;
  std::string gain = "exp2";
  std::int64_t draws = 10;
  std::int64_t seed = 1;
  std::int64_t k = 1;
};

std::unique_ptr<const Loss> softmax_loss(const SoftmaxOptions& options);

}  // namespace podium

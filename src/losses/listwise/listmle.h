// ListMLE.
#pragma once

#include <cstdint>
#include <memory>

#include "podium/loss.h"

namespace podium {

enum class GradeTies { average, permute };  // over the orders of equal grades, or one of them
inline const Choices<GradeTies>& grade_tie_choices() {
  static const Choices<GradeTies> choices = {{"average", GradeTies::average},
                                             {"permute", GradeTies::permute}};
  return choices;
}

struct ListMleOptions {
  GradeTies ties = GradeTies::average;
  std::int64_t seed = 1;
  std::int64_t k = 0;
};

std::unique_ptr<const Loss> listmle_loss(const ListMleOptions& options);

}  // namespace podium

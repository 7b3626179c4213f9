// ListMLE.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "podium/loss.h"

namespace podium {

struct ListMleOptions {
  std::string ties = "average";
  std::int64_t seed = 1;
  std::int64_t k = 0;
};

std::unique_ptr<const Loss> listmle_loss(const ListMleOptions& options);

}  // namespace podium

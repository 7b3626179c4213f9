// The squared error up to a constant per query.
#pragma once

#include <memory>
#include <string>

#include "podium/loss.h"

namespace podium {

struct QuerySquaredOptions {
  std::string targets = "linear";
};

std::unique_ptr<const Loss> query_squared_loss(const QuerySquaredOptions& options);

}  // namespace podium

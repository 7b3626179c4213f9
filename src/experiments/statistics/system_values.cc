#include "experiments/statistics/system_values.h"

#include <fmt/format.h>

#include "podium/error.h"

namespace podium {

void check_same_length(SystemValues values) {
  for (std::size_t i = 1; i < values.size(); ++i)
    if (values[i].size() != values[0].size())
      throw Error(ErrorCode::data,
                  fmt::format("system {} has {} values and system 0 has {}; all systems need one "
                              "for every query (NaN where there is none)",
                              i, values[i].size(), values[0].size()));
}

}  // namespace podium

// The feature that an option of a training, `wanting`, names (implemented in feature_list.cc).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "podium/dataset.h"

namespace podium {

// Where it is in prepared data. Usage error that names the closest one when no document has it, or
// when it was not selected.
std::size_t find_trained_feature(std::string_view wanting, const std::string& name,
                                 const Dataset& prepared);

}  // namespace podium

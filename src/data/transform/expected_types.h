// Checks features against the types that a model or a transform was made for (implemented in
// transform_apply.cc).
#pragma once

#include <string>

#include "podium/dataset.h"
#include "podium/error.h"

namespace podium {

Error category_instead_of_number(const std::string& feature);

// Throws an Error that names the first category if there is one.
void require_numbers(const Dataset& data);

}  // namespace podium

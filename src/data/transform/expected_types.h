// Data whose features are not what a model or a transform was made for (implemented in
// transform_apply.cc).
#pragma once

#include <string>

#include "podium/dataset.h"
#include "podium/error.h"

namespace podium {

Error category_instead_of_number(const std::string& feature);

// Where all features were numbers: an Error that names the first one that is a category.
void require_numbers(const Dataset& data);

}  // namespace podium

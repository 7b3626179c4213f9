// Checks of [system][query] tables.
#pragma once

#include "podium/significance.h"

namespace podium {

// Throws an Error if two systems have different numbers of values.
void check_same_length(SystemValues values);

}  // namespace podium

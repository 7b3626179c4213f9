// The documents of a data set that are kept, with all they carry.
#pragma once

#include <vector>

#include "podium/dataset.h"

namespace podium {

// keep[d] ≠ 0: document d stays. Queries left without documents go.
Dataset select_documents(const Dataset& data, const std::vector<char>& keep);

}  // namespace podium

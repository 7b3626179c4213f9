// A subset of the documents of a data set, with all their data.
#pragma once

#include <vector>

#include "podium/dataset.h"

namespace podium {

// Document d is kept if keep[d] ≠ 0. Queries without documents are removed.
Dataset select_documents(const Dataset& data, const std::vector<char>& keep);

}  // namespace podium

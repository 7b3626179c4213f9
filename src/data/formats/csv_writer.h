// CSV or TSV with a header: label, qid, other columns that the documents have, and the features by
// name.
#pragma once

#include <string>

#include "podium/context.h"
#include "podium/dataset.h"

namespace podium {

void write_csv(const Dataset& data, char separator, const std::string& path, Context& context);

}  // namespace podium

// For writers of text formats, which do not store which columns are categories.
#pragma once

#include <string>

#include "podium/context.h"
#include "podium/dataset.h"

namespace podium {

// Notes how to read the file, if there are categories.
void note_categories(const Dataset& data, const std::string& path, Observer& observer);

}  // namespace podium

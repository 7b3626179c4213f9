// For writers of text, which does not say that a column holds categories.
#pragma once

#include <string>

#include "podium/context.h"
#include "podium/dataset.h"

namespace podium {

// Tells the observer how to read the file, where there are categories.
void note_categories(const Dataset& data, const std::string& path, Observer& observer);

}  // namespace podium

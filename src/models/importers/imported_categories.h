// Categories of imported models. Other tools' files have numbers in the sets of category splits;
// the numbers of a feature become the values of its category, by the names that the file has for
// them, or as they are.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "podium/export.h"

namespace podium {

// By feature: the value of each number 0, 1, …; no list: the numbers are the values.
using CategoryNames = std::map<std::uint32_t, std::vector<std::string>>;

// Replaces the numbers in the forest's sets by codes, and sets the schema. `known`: further numbers
// that a feature has. Error (data) for a feature that is compared and tested, and for names that
// are missing or given twice.
void name_categories(SavedModel& model, const CategoryNames& names,
                     std::map<std::uint32_t, std::vector<std::uint32_t>> known,
                     const std::string& file);

}  // namespace podium

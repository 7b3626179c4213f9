// What users say about the features of LETOR text, which have numbers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/formats/column_types.h"
#include "podium/context.h"
#include "podium/dataset.h"

namespace podium {

struct LetorColumn {
  std::uint32_t column = 0;  // counted from 0
  WantedType wanted;
};

// Usage error for what is no feature number.
std::vector<LetorColumn> letor_columns(const ReadOptions& options);

// Of the categories, ascending.
std::vector<std::uint32_t> category_columns(const std::vector<LetorColumn>& columns);

// The data as read, without the features to be ignored. Error where no row has a feature that was
// named. All ranks of the context call this together.
Dataset without_ignored(const std::vector<LetorColumn>& columns, const Dataset& data,
                        const std::string& file, Context& context);

}  // namespace podium

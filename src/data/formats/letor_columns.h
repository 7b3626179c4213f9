// The types that users specify for the numbered features of LETOR text.
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

// Throws a usage Error for anything that is not a feature number.
std::vector<LetorColumn> letor_columns(const ReadOptions& options);

// The columns of the categories, ascending.
std::vector<std::uint32_t> category_columns(const std::vector<LetorColumn>& columns);

// The data without the ignored features. Throws an Error if no row has a feature that was named.
// Collective: all ranks of the context must call it.
Dataset without_ignored(const std::vector<LetorColumn>& columns, const Dataset& data,
                        const std::string& file, Context& context);

}  // namespace podium

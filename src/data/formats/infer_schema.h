// Proposes a type for each column of a CSV file that has no other role, with the reason. All
// columns are read as categories, so that values are known as they are written.
//
//   no value in any row, or the same in all         ignored
//   text, mostly different from row to row          ignored: titles, addresses, ids
//   other text                                      category
//   whole numbers that look like ids                category; ignored if mostly different
//   other numbers                                   number
//
// Whole numbers look like ids if the column is called so (…id, …code, …_type, …), or if they are
// few and far between: at most one of four numbers in their range occurs, and each many times.
#pragma once

#include <string>
#include <vector>

#include "podium/context.h"
#include "podium/data_io.h"
#include "podium/feature_schema.h"

namespace podium {

struct ProposedType {
  std::string column;
  FeatureType type = FeatureType::number;
  std::string why;
};

std::vector<ProposedType> infer_schema(const std::string& path, const ReadOptions& options,
                                       Context& context);

// The schema file: {"features": {"brand": "category", …}}.
std::string schema_file(const std::vector<ProposedType>& types);

}  // namespace podium

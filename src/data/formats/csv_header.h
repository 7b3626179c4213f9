// The header line of a CSV file: the role of each column.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "podium/data_io.h"

namespace podium {

enum class Role { feature, category, ignored, label, qid, docid, weight, position, host };

struct CsvHeader {
  std::vector<std::string> names;
  std::vector<Role> roles;  // one per name

  // Numbers and categories.
  std::vector<std::string> feature_names() const;
  // The indices of the categories among the features.
  std::vector<std::uint32_t> category_features() const;
  std::vector<std::string> ignored_names() const;
};

// The first given option that names a column; "" if there is none.
std::string column_option_given(const ReadOptions& options);

// Whether the required columns are among the names, under one of their usual names.
bool names_required_columns(const std::vector<std::string>& names);

// Throws an Error with the closest name if an option names a column that does not exist.
CsvHeader make_header(std::vector<std::string> names, const ReadOptions& options,
                      const std::string& file);

}  // namespace podium

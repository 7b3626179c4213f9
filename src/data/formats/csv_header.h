// The header line of a CSV file: which column is what.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "podium/data_io.h"

namespace podium {

enum class Role { feature, category, ignored, label, qid, docid, weight, position, host };

struct CsvHeader {
  std::vector<std::string> names;
  std::vector<Role> roles;  // one a name

  // Features are numbers and categories.
  std::vector<std::string> feature_names() const;
  // The places of the categories among the features.
  std::vector<std::uint32_t> category_features() const;
  std::vector<std::string> ignored_names() const;
};

// The first option given that names a column, "" where none does.
std::string column_option_given(const ReadOptions& options);

// Whether the columns that every file needs are among them, under one of their usual names.
bool names_required_columns(const std::vector<std::string>& names);

// Throws an Error that names the nearest column when one that is asked for does not exist.
CsvHeader make_header(std::vector<std::string> names, const ReadOptions& options,
                      const std::string& file);

}  // namespace podium

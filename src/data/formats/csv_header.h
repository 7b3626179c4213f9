// The header line of a CSV file: the role of each column.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/formats/label_expression.h"
#include "podium/data_io.h"

namespace podium {

enum class Role {
  feature,
  category,
  ignored,
  label,
  label_part,
  qid,
  docid,
  weight,
  query_weight,
  position,
  host
};

struct CsvHeader {
  std::vector<std::string> names;
  std::vector<Role> roles;  // one per name
  std::vector<char> spare;  // one per name: a feature that nobody needs
  char separator = ',';
  std::size_t lines = 1;                   // 0 in a file without a line of names
  LabelExpression label;                   // of the columns with the role label_part, or empty
  std::vector<std::size_t> label_columns;  // of label.columns()
  std::string note;                        // what users should know; "" where there is nothing

  // Numbers and categories.
  std::vector<std::string> feature_names() const;
  // The indices of the categories among the features.
  std::vector<std::uint32_t> category_features() const;
  std::vector<std::string> ignored_names() const;
  // The first column with that role, or "".
  std::string name_of(Role role) const;
};

// The first given option that names a column; "" if there is none.
std::string column_option_given(const ReadOptions& options);

// Whether the required columns are among the names, under one of their usual names.
bool names_required_columns(const std::vector<std::string>& names);

// The fields of a line without quotes and the blanks around them. For guesses: a separator inside
// quotes counts.
std::vector<std::string> bare_names(std::string_view line, char separator);

// The separator that the options name, or that the first line is most likely to use: one by which
// it names the columns that every file needs, else the most frequent. `usual`: of the format.
char choose_separator(std::string_view line, char usual, const ReadOptions& options);

// Throws an Error that names the closest column when one that is asked for does not exist.
CsvHeader make_header(std::vector<std::string> names, const ReadOptions& options,
                      const std::string& file);

}  // namespace podium

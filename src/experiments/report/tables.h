// Tables for people and for papers: cells of text, some of them marked, as plain text, Markdown,
// LaTeX (booktabs) or CSV.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace podium {

struct Table {
  enum class Mark { none, best, not_worse, unknown };  // unknown: not to be compared
  struct Cell {
    std::string text;
    Mark mark = Mark::none;
  };
  std::string title;
  std::vector<std::string> header;
  std::vector<std::vector<Cell>> rows;
  std::vector<std::string> notes;  // below the table
};

enum class TableFormat { text, markdown, latex, csv };

std::string render(const Table& table, TableFormat format);

}  // namespace podium

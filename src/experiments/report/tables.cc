#include "experiments/report/tables.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/printable.h"

namespace podium {
namespace {

using Mark = Table::Mark;

// In characters, not bytes.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::string marked_text(const Table::Cell& cell) {
  switch (cell.mark) {
    case Mark::best:
      return cell.text + " ●";
    case Mark::not_worse:
      return cell.text + " ○";
    case Mark::unknown:
      return cell.text + " †";
    case Mark::none:
      return cell.text + "  ";
  }
  return cell.text;
}

// Makes control characters in names visible, so that they cannot break the table.
Table with_printable_cells(Table table) {
  table.title = printable(table.title);
  for (std::string& name : table.header) name = printable(name);
  for (auto& row : table.rows)
    for (Table::Cell& cell : row) cell.text = printable(cell.text);
  for (std::string& note : table.notes) note = printable(note);
  return table;
}

std::string render_text(const Table& table) {
  std::vector<std::vector<std::string>> lines = {table.header};
  const std::size_t columns = table.header.size();
  // A column without marks needs no space for them.
  std::vector<bool> has_marks(columns);
  for (const auto& row : table.rows)
    for (std::size_t c = 0; c < columns; ++c)
      if (row[c].mark != Mark::none) has_marks[c] = true;
  for (std::size_t c = 0; c < columns; ++c)
    if (has_marks[c]) lines[0][c] += "  ";
  for (const auto& row : table.rows) {
    auto& line = lines.emplace_back();
    for (std::size_t c = 0; c < columns; ++c)
      line.push_back(has_marks[c] ? marked_text(row[c]) : row[c].text);
  }
  std::vector<std::size_t> widths(columns);
  for (const auto& line : lines)
    for (std::size_t c = 0; c < columns; ++c) widths[c] = std::max(widths[c], width(line[c]));
  std::string out = table.title.empty() ? "" : table.title + "\n\n";
  for (const auto& line : lines) {
    std::string text;
    for (std::size_t c = 0; c < columns; ++c) {
      const std::string room(widths[c] - width(line[c]), ' ');
      text += c == 0 ? line[c] + room : "  " + room + line[c];
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + "\n";
  }
  for (const std::string& note : table.notes) out += note + "\n";
  return out;
}

std::string escaped(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    if (special.find(c) != special.npos) out += '\\';
    out += c;
  }
  return out;
}

std::string render_markdown(const Table& table) {
  const auto plain = [](std::string_view text) { return escaped(text, "|*_"); };
  std::string out = table.title.empty() ? "" : table.title + "\n\n";
  out += "|";
  for (const std::string& name : table.header) out += fmt::format(" {} |", plain(name));
  out += "\n|---|";
  for (std::size_t c = 1; c < table.header.size(); ++c) out += "---:|";
  for (const auto& row : table.rows) {
    out += "\n|";
    for (const auto& cell : row) {
      const char* around = cell.mark == Mark::best ? "**" : cell.mark == Mark::not_worse ? "*" : "";
      out += fmt::format(" {}{}{}{} |", around, plain(cell.text), around,
                         cell.mark == Mark::unknown ? " †" : "");
    }
  }
  out += "\n";
  for (const std::string& note : table.notes) out += "\n" + note + "\n";
  return out;
}

std::string latex_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\textbackslash{}";
    else if (c == '~' || c == '^')
      out += fmt::format("\\{}{{}}", c);
    else
      out += escaped(std::string_view(&c, 1), "&%$#_{}");
  }
  return out;
}

std::string render_latex(const Table& table) {
  std::string out = fmt::format("% {}\n\\begin{{tabular}}{{l{}}}\n\\toprule\n", table.title,
                                std::string(table.header.size() - 1, 'r'));
  for (std::size_t c = 0; c < table.header.size(); ++c)
    out += (c ? " & " : "") + latex_text(table.header[c]);
  out += " \\\\\n\\midrule\n";
  for (const auto& row : table.rows) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string text = latex_text(row[c].text);
      out += c ? " & " : "";
      out += row[c].mark == Mark::best        ? "\\textbf{" + text + "}"
             : row[c].mark == Mark::not_worse ? "\\textit{" + text + "}"
             : row[c].mark == Mark::unknown   ? text + "$^\\dagger$"
                                              : text;
    }
    out += " \\\\\n";
  }
  out += "\\bottomrule\n\\end{tabular}\n";
  for (const std::string& note : table.notes) out += "% " + note + "\n";
  return out;
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == text.npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

// A column with marks is followed by one with the marks as words.
std::string render_csv(const Table& table) {
  std::vector<bool> has_marks(table.header.size());
  for (const auto& row : table.rows)
    for (std::size_t c = 0; c < row.size(); ++c)
      if (row[c].mark != Mark::none) has_marks[c] = true;
  std::string out;
  for (std::size_t c = 0; c < table.header.size(); ++c) {
    out += (c ? "," : "") + csv_field(table.header[c]);
    if (has_marks[c]) out += "," + csv_field(table.header[c] + " standing");
  }
  out += "\n";
  for (const auto& row : table.rows) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      out += (c ? "," : "") + csv_field(row[c].text);
      if (has_marks[c])
        out += row[c].mark == Mark::best        ? ",best"
               : row[c].mark == Mark::not_worse ? ",not-worse"
               : row[c].mark == Mark::unknown   ? ",unknown"
                                                : ",";
    }
    out += "\n";
  }
  return out;
}

}  // namespace

std::string render(const Table& table, TableFormat format) {
  switch (format) {
    case TableFormat::text:
      return render_text(with_printable_cells(table));
    case TableFormat::markdown:
      return render_markdown(with_printable_cells(table));
    case TableFormat::latex:
      return render_latex(with_printable_cells(table));
    case TableFormat::csv:
      return render_csv(table);
  }
  return {};
}

}  // namespace podium

#include "data/shares/text_share.h"

#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "distributed/gathered.h"

namespace podium {
namespace {

// The beginning of the first line at or after `at`.
std::size_t line_at(std::string_view text, std::size_t at) {
  if (at == 0 || at >= text.size()) return std::min(at, text.size());
  const std::size_t end = text.find('\n', at - 1);
  return end == std::string_view::npos ? text.size() : end + 1;
}
std::size_t line_end(std::string_view text, std::size_t line) {
  const std::size_t end = text.find('\n', line);
  return end == std::string_view::npos ? text.size() : end + 1;
}
// The beginning of the line before this one.
std::size_t line_before(std::string_view text, std::size_t line) {
  const std::size_t end = line < 2 ? std::string_view::npos : text.rfind('\n', line - 2);
  return end == std::string_view::npos ? 0 : end + 1;
}

std::size_t cut(std::string_view text, int rank, int ranks) {
  return line_at(text, share_begin(text.size(), rank, ranks));
}

// A parsed line.
struct Line {
  bool is_row = false;
  bool is_wrong = false;  // the reader reports it
  std::string qid;
};

Line read_line(std::string_view line, const std::function<RowPiece(const TextBlock&)>& parse) {
  std::string copy(line);
  if (!copy.ends_with('\n')) copy += '\n';
  const std::size_t size = copy.size();
  copy.append(TextBlock::kReadableBehind, '\0');
  const RowPiece piece = parse({std::string_view(copy).substr(0, size), nullptr});
  if (piece.error) return {true, true, {}};
  if (piece.rows() == 0) return {};
  return {true, false, std::string(piece.qid(piece.runs.front()))};
}

// From this rank's beginning to that of the next rank.
std::string_view share_from(std::string_view text, std::size_t begin, Communicator& comm) {
  const auto begins = gathered(begin, comm);
  const auto next = static_cast<std::size_t>(comm.rank()) + 1;
  const std::size_t end = next < begins.size() ? begins[next] : text.size();
  return text.substr(begin, end - begin);
}

}  // namespace

bool rows_carry_qids(std::string_view text,
                     const std::function<RowPiece(const TextBlock&)>& parse) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = line_end(text, begin);
    const Line line = read_line(text.substr(begin, end - begin), parse);
    if (line.is_row) return line.is_wrong || !line.qid.empty();
    begin = end;
  }
  return true;
}

std::string_view share_by_qid(std::string_view text,
                              const std::function<RowPiece(const TextBlock&)>& parse,
                              Communicator& comm) {
  std::size_t begin = cut(text, comm.rank(), comm.size());
  Line last;
  for (std::size_t line = begin; line > 0 && !last.is_row;) {
    const std::size_t end = line;
    line = line_before(text, line);
    last = read_line(text.substr(line, end - line), parse);
  }
  while (last.is_row && !last.is_wrong && begin < text.size()) {
    const std::size_t end = line_end(text, begin);
    const Line line = read_line(text.substr(begin, end - begin), parse);
    if (line.is_row && (line.is_wrong || line.qid != last.qid)) break;
    begin = end;
  }
  return share_from(text, begin, comm);
}

std::string_view share_by_sizes(std::string_view text, std::span<const std::uint64_t> sizes,
                                const std::function<bool(std::string_view)>& is_row,
                                Communicator& comm) {
  std::size_t begin = cut(text, comm.rank(), comm.size());
  const std::size_t end = cut(text, comm.rank() + 1, comm.size());
  std::uint64_t rows = 0;
  for (std::size_t line = begin; line < end;) {
    const std::size_t next = line_end(text, line);
    rows += is_row(text.substr(line, next - line));
    line = next;
  }
  const auto counts = gathered(rows, comm);
  std::uint64_t row = 0;  // the row of this rank's first line, or the next one
  for (std::size_t r = 0; r < static_cast<std::size_t>(comm.rank()); ++r) row += counts[r];
  std::uint64_t first = 0;  // row of the group that begins there or later
  for (std::size_t g = 0; g < sizes.size() && first < row; ++g) first += sizes[g];
  while (begin < text.size() && row < first) {
    const std::size_t next = line_end(text, begin);
    row += is_row(text.substr(begin, next - begin));
    begin = next;
  }
  return share_from(text, begin, comm);
}

}  // namespace podium

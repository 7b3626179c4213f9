#include "clicks/log_piece.h"

#include <cstring>

#include <fmt/format.h>

namespace podium {
namespace {

// Appends the line; returns a mistake, or "".
std::string add_row(std::string_view line, const LogHeader& header, LogPiece& piece) {
  LogLine parsed;
  std::string problem = parse_log_line(line, header, parsed);
  if (!problem.empty()) return problem;
  const bool same_query =
      !piece.rows.empty() &&
      piece.qids[piece.documents[piece.rows.back().document].scope].text == parsed.qid;
  const std::uint32_t query = same_query ? piece.documents[piece.rows.back().document].scope
                                         : piece.qids.number(0, parsed.qid);
  if (!same_query || piece.sessions.back() != parsed.session)
    piece.sessions.push_back(parsed.session);
  piece.rows.push_back({piece.documents.number(query, parsed.docid),
                        static_cast<std::uint32_t>(piece.sessions.size() - 1),
                        static_cast<std::uint32_t>(piece.lines),
                        static_cast<std::uint16_t>(parsed.position), parsed.click, parsed.owner});
  if (header.has(LogColumn::propensity) || header.has(LogColumn::weight) ||
      header.has(LogColumn::time))
    piece.values.push_back({parsed.propensity, parsed.weight, parsed.time});
  return {};
}

}  // namespace

LogPiece parse_log_block(TextBlock block, const LogHeader& header, std::size_t max_line_bytes) {
  LogPiece piece;
  const char* at = block.text.data();
  const char* const end = at + block.text.size();
  while (at < end && !piece.error) {
    const auto* const stop =
        static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
    const char* const line_end = stop ? stop : end;
    std::string_view line(at, static_cast<std::size_t>(line_end - at));
    piece.lines += 1;
    at = line_end + 1;
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.empty()) continue;
    std::string problem = line.size() > max_line_bytes ? std::string("the line is too long")
                                                       : add_row(line, header, piece);
    if (!problem.empty()) piece.error.emplace(ErrorCode::data, problem, Place{{}, piece.lines});
  }
  piece.block = std::move(block);
  return piece;
}

}  // namespace podium

// Puts the pieces of a click log together, in the order of the file: checks sessions, numbers ids,
// and adds up cells. Serial, a few dozen nanoseconds per line.
#pragma once

#include <string>
#include <vector>

#include "clicks/log_piece.h"
#include "clicks/session_watch.h"
#include "podium/click_log.h"

namespace podium {

class LogBuilder {
 public:
  LogBuilder(const std::string& file, const ClickLogOptions& options, const Dataset* data,
             KeptSessions kept);

  // Lines of the file before this piece.
  void add(const LogPiece& piece, const LogHeader& header, std::size_t lines_before);
  ClickLog finish();

 private:
  struct Line {
    std::uint32_t document;
    std::uint16_t position;
    bool click;
    double propensity;
  };

  std::uint32_t document_of(const LogPiece& piece, std::uint32_t local, const Place& place);
  void begin_session(std::string_view session, std::string_view qid, std::uint32_t query);
  void add_line(const LogPiece& piece, std::size_t row, const LogHeader& header,
                const Place& place);
  void check_values(const LogPiece::Values& values, const LogHeader& header, const Place& place);
  void end_session();
  ClickCell& cell(std::uint32_t document, std::uint16_t position);
  void keep_session(bool held);
  void match(const Dataset& data);
  void renumber();

  std::string file_;
  ClickLogOptions options_;
  KeptSessions kept_;
  bool matched_ = false;
  IdTable<std::string> qids_, documents_;
  std::vector<std::uint32_t> row_;    // of the data, by document
  std::vector<std::uint32_t> local_;  // the document of each of the piece's
  IndexTable cell_table_, session_table_;
  SessionWatch watch_;
  ClickLog log_;

  std::string session_;  // the current one
  std::uint32_t query_ = 0;
  bool open_ = false;
  double weight_ = 1;
  SessionClock clock_;
  std::vector<Line> current_;
  std::uint64_t number_ = 0;                              // of the current session, from 1
  std::vector<std::uint64_t> at_position_, of_document_;  // the last session that had it
};

}  // namespace podium

// Click logs: which documents were shown to whom at which position, and which of them were clicked.
//
// The file is TSV or CSV (also `.gz`, `.zst`) with a header, one line per document shown:
//   session  qid  docid  position  click  [propensity]  [weight]  [time]  [owner]
// Positions count from 1, a click is 0 or 1, further columns are ignored; `owner` is for
// interleaving.h. Lines of a session are contiguous: (session, qid) further on is another session.
// A session need not show all documents of its query. A time is a number or ISO 8601, of the list
// or of the click; it may be empty, and the lines of a session may have any order of time. That of
// a session is its earliest.
//
// A log is stored as counts by (query, document, position), the cells: position-based estimators
// need nothing else, so that memory is bounded by the distinct triples. Models of whole sessions
// also keep the distinct sessions, with how often each occurred.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "podium/buffer.h"
#include "podium/context.h"
#include "podium/dataset.h"
#include "podium/options.h"

namespace podium {

struct ClickLogOptions {
  bool drop_unmatched = false;    // lines whose document is not in the data are dropped and counted
  std::int64_t max_clicks = 0;    // sessions with more clicks are dropped and counted; 0: none
  std::int64_t max_position = 0;  // lines of later positions are dropped and counted; 0: none
  double held_out = 0;            // share of the sessions, by a hash of their ids
};
const OptionTable<ClickLogOptions>& click_log_option_table();

// Sums of session weights, by default counts.
struct ClickCell {
  std::uint32_t document = 0;  // of the log
  std::uint32_t position = 0;  // from 1
  double shown = 0, clicked = 0;
  double inverse = 0;                       // Σ clicks / propensity, if the log has propensities
  double examined = 0;                      // Σ propensity of the times shown, alike
  double held_shown = 0, held_clicked = 0;  // of the sessions that are held out
};

struct ShownDocument {
  std::uint32_t document = 0;
  std::uint16_t position = 0;
  std::uint16_t clicked = 0;  // 0 or 1
};

// Sessions with the same documents at the same positions and the same clicks.
struct ClickSession {
  std::uint32_t query = 0;
  std::uint32_t size = 0;
  std::uint64_t begin = 0;  // in ClickLog::shown, by position
  double count = 0, held_count = 0;
};

class ClickLog {
 public:
  std::size_t queries() const noexcept { return qids.size(); }
  std::size_t documents() const noexcept { return query_of.size(); }
  std::span<const ClickCell> cells_of(std::size_t document) const {
    return std::span(cells).subspan(cell_begin[document],
                                    cell_begin[document + 1] - cell_begin[document]);
  }
  std::span<const ShownDocument> documents_of(const ClickSession& session) const {
    return std::span(shown).subspan(session.begin, session.size);
  }

  std::vector<std::string> qids, docids;   // of each query; of each document
  std::vector<std::uint64_t> query_begin;  // the documents of each query are contiguous
  std::vector<std::uint32_t> query_of;     // the query of each document
  std::vector<double> query_sessions;      // Σ weights of sessions, without those held out
  std::vector<std::uint32_t> row;          // the document of the data; empty without data
  std::vector<ClickCell> cells;            // by document and position
  std::vector<std::uint64_t> cell_begin;   // documents + 1
  std::vector<ClickSession> sessions;      // by query; empty unless they are kept
  std::vector<ShownDocument> shown;        // of all sessions

  std::uint32_t positions = 0;  // the last one
  bool has_propensities = false;
  std::uint64_t lines = 0;
  double session_total = 0, held_total = 0;   // Σ weights
  std::uint64_t session_count = 0;            // without dropped ones
  std::uint64_t unmatched = 0, too_deep = 0;  // lines dropped
  std::uint64_t bots = 0;                     // sessions dropped by max_clicks
  std::uint64_t all_clicked = 0;              // sessions of 5 or more, every one clicked
  std::uint64_t backwards = 0;                // sessions that began before the one above
  std::uint64_t scattered = 0;                // how often a session began again further on
};

enum class KeptSessions { none, distinct };

// Throws an Error with file and line for anything malformed. With data, documents are matched by
// (qid, docid); data without docids has the documents "1", "2", … of each query. Notes to the
// observer what was dropped and what looks like robots.
ClickLog read_click_log(const std::string& path, const ClickLogOptions& options,
                        const Dataset* data, KeptSessions kept, Context& context);

// The id of a document of the data, as logs have it.
std::string log_docid(const Dataset& data, std::size_t query, std::size_t document);

}  // namespace podium

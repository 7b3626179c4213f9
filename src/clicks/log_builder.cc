#include "clicks/log_builder.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "core/random.h"
#include "data/formats/parse_error.h"

namespace podium {
namespace {

constexpr std::uint32_t kUnknown = UINT32_MAX, kUnmatched = UINT32_MAX - 1;

std::uint64_t cell_hash(std::uint32_t document, std::uint32_t position) {
  return mix(document, position);
}

}  // namespace

LogBuilder::LogBuilder(const std::string& file, const ClickLogOptions& options, const Dataset* data,
                       KeptSessions kept)
    : file_(file), options_(options), kept_(kept), at_position_(kLastPosition + 1) {
  if (data) match(*data);
}

// Numbers the documents of the data first.
void LogBuilder::match(const Dataset& data) {
  matched_ = true;
  for (std::size_t q = 0; q < data.queries(); ++q) {
    const std::uint32_t query = qids_.number(0, data.qid(q));
    for (std::size_t d = data.begin(q); d < data.end(q); ++d) {
      const std::string id = log_docid(data, q, d);
      const std::size_t before = documents_.size();
      documents_.number(query, id);
      if (documents_.size() == before)
        throw Error(ErrorCode::data, fmt::format("the data has document '{}' of query '{}' twice: "
                                                 "clicks cannot be matched",
                                                 shortened(id), shortened(data.qid(q))));
      row_.push_back(static_cast<std::uint32_t>(d));
    }
  }
}

std::uint32_t LogBuilder::document_of(const LogPiece& piece, std::uint32_t local,
                                      const Place& place) {
  std::uint32_t& known = local_[local];
  if (known != kUnknown) return known;
  const auto& id = piece.documents[local];
  const std::string_view qid = piece.qids[id.scope].text;
  if (!matched_) return known = documents_.number(qids_.number(0, qid), id.text);
  const std::uint32_t query = qids_.find(0, qid);
  known = query == IndexTable::kNone ? IndexTable::kNone : documents_.find(query, id.text);
  if (known != IndexTable::kNone) return known;
  if (options_.drop_unmatched) return known = kUnmatched;
  throw Error(ErrorCode::data,
              fmt::format("document '{}' of query '{}' is not in the data; ‹drop-unmatched› drops "
                          "such lines",
                          shortened(id.text), shortened(qid)),
              place);
}

void LogBuilder::begin_session(std::string_view session, std::string_view qid,
                               std::uint32_t query) {
  if (open_) end_session();
  watch_.begin(session, qid);
  open_ = true;
  session_ = session;
  query_ = query;
  ++number_;
}

void LogBuilder::check_values(const LogPiece::Values& values, const LogHeader& header,
                              const Place& place) {
  if (header.has(LogColumn::time)) clock_.add(values.time);
  if (!current_.empty() && values.weight != weight_)
    throw Error(ErrorCode::data,
                fmt::format("session '{}' has two weights, {} and {}", shortened(session_), weight_,
                            values.weight),
                place);
  weight_ = values.weight;
}

void LogBuilder::add_line(const LogPiece& piece, std::size_t index, const LogHeader& header,
                          const Place& place) {
  const LogPiece::Row& row = piece.rows[index];
  const std::uint32_t document = document_of(piece, row.document, place);
  const auto wrong = [&](std::string_view what) {
    return Error(ErrorCode::data,
                 fmt::format("{} twice in session '{}'", what, shortened(session_)), place);
  };
  if (at_position_[row.position] == number_)
    throw wrong(fmt::format("position {} occurs", row.position));
  at_position_[row.position] = number_;
  log_.lines += 1;
  if (document == kUnmatched) {
    log_.unmatched += 1;
    return;
  }
  if (of_document_.size() <= document) of_document_.resize(documents_.size());
  if (of_document_[document] == number_)
    throw wrong(fmt::format("document '{}' is shown", shortened(documents_[document].text)));
  of_document_[document] = number_;
  if (options_.max_position > 0 && row.position > options_.max_position) {
    log_.too_deep += 1;
    return;
  }
  const LogPiece::Values values = piece.values.empty() ? LogPiece::Values() : piece.values[index];
  check_values(values, header, place);
  current_.push_back({document, row.position, row.click, values.propensity});
}

void LogBuilder::add(const LogPiece& piece, const LogHeader& header, std::size_t lines_before) {
  local_.assign(piece.documents.size(), kUnknown);
  std::uint32_t local_session = kUnknown;
  for (std::size_t r = 0; r < piece.rows.size(); ++r) {
    const LogPiece::Row& row = piece.rows[r];
    if (row.session != local_session) {
      local_session = row.session;
      const std::string_view qid = piece.qids[piece.documents[row.document].scope].text;
      const std::uint32_t query = matched_ ? qids_.find(0, qid) : qids_.number(0, qid);
      if (!open_ || session_ != piece.sessions[row.session] || query != query_)
        begin_session(piece.sessions[row.session], qid, query);
    }
    add_line(piece, r, header, {file_, lines_before + row.line});
  }
  log_.has_propensities = header.has(LogColumn::propensity);
}

ClickCell& LogBuilder::cell(std::uint32_t document, std::uint16_t position) {
  const std::uint64_t hash = cell_hash(document, position);
  std::uint32_t index = cell_table_.find(hash, [&](std::uint32_t i) {
    return log_.cells[i].document == document && log_.cells[i].position == position;
  });
  if (index == IndexTable::kNone) {
    index = static_cast<std::uint32_t>(log_.cells.size());
    log_.cells.push_back({document, position});
    cell_table_.add(hash, index, [&](std::uint32_t i) {
      return cell_hash(log_.cells[i].document, log_.cells[i].position);
    });
  }
  return log_.cells[index];
}

void LogBuilder::keep_session(bool held) {
  std::sort(current_.begin(), current_.end(),
            [](const Line& a, const Line& b) { return a.position < b.position; });
  const auto hash_of = [&](std::span<const ShownDocument> shown) {
    return XXH3_64bits(shown.data(), shown.size_bytes());
  };
  static_assert(sizeof(ShownDocument) == 8);
  const std::size_t begin = log_.shown.size();
  for (const Line& line : current_)
    log_.shown.push_back({line.document, line.position, static_cast<std::uint16_t>(line.click)});
  const auto mine = std::span<const ShownDocument>(log_.shown).subspan(begin);
  const std::uint64_t hash = hash_of(mine);
  std::uint32_t index = session_table_.find(hash, [&](std::uint32_t i) {
    const auto other = log_.documents_of(log_.sessions[i]);
    return other.size() == mine.size() &&
           std::equal(other.begin(), other.end(), mine.begin(),
                      [](const ShownDocument& a, const ShownDocument& b) {
                        return a.document == b.document && a.position == b.position &&
                               a.clicked == b.clicked;
                      });
  });
  if (index == IndexTable::kNone) {
    index = static_cast<std::uint32_t>(log_.sessions.size());
    log_.sessions.push_back({query_, static_cast<std::uint32_t>(mine.size()), begin, 0, 0});
    session_table_.add(
        hash, index, [&](std::uint32_t i) { return hash_of(log_.documents_of(log_.sessions[i])); });
  } else {
    log_.shown.resize(begin);
  }
  (held ? log_.sessions[index].held_count : log_.sessions[index].count) += weight_;
}

void LogBuilder::end_session() {
  if (current_.empty()) return;
  if (clock_.end()) log_.backwards += 1;
  const auto clicks =
      std::count_if(current_.begin(), current_.end(), [](const Line& l) { return l.click; });
  const bool bot = options_.max_clicks > 0 && clicks > options_.max_clicks;
  const bool all =
      current_.size() >= kManyShown && clicks == static_cast<std::ptrdiff_t>(current_.size());
  (bot ? log_.bots : log_.session_count) += 1;
  if (all && !bot) log_.all_clicked += 1;
  if (!bot) {
    const bool held =
        options_.held_out > 0 && Random(1, hash_text(session_)).uniform() < options_.held_out;
    (held ? log_.held_total : log_.session_total) += weight_;
    if (log_.query_sessions.size() <= query_) log_.query_sessions.resize(query_ + 1);
    if (!held) log_.query_sessions[query_] += weight_;
    for (const Line& line : current_) {
      ClickCell& counts = cell(line.document, line.position);
      (held ? counts.held_shown : counts.shown) += weight_;
      if (line.click) (held ? counts.held_clicked : counts.clicked) += weight_;
      if (line.click && !held) counts.inverse += weight_ / line.propensity;
      if (!held) counts.examined += weight_ * line.propensity;
      log_.positions = std::max<std::uint32_t>(log_.positions, line.position);
    }
    if (kept_ == KeptSessions::distinct) keep_session(held);
  }
  current_.clear();
}

// Queries in order of appearance among those with cells, their documents next to each other, and
// everything else in that order. Only documents with cells are kept.
void LogBuilder::renumber() {
  std::vector<std::uint32_t> query_number(qids_.size(), kUnknown),
      number(documents_.size(), kUnknown);
  std::vector<std::vector<std::uint32_t>> members;
  std::vector<char> shown(documents_.size());
  for (const ClickCell& one : log_.cells) shown[one.document] = 1;
  for (std::uint32_t d = 0; d < shown.size(); ++d) {
    if (!shown[d]) continue;
    std::uint32_t& q = query_number[documents_[d].scope];
    if (q == kUnknown) {
      q = static_cast<std::uint32_t>(members.size());
      members.emplace_back();
    }
    members[q].push_back(d);
  }
  std::vector<double> sessions_of(members.size());
  log_.qids.resize(members.size());
  for (std::uint32_t q = 0; q < query_number.size(); ++q) {
    if (query_number[q] == kUnknown) continue;
    log_.qids[query_number[q]] = qids_[q].text;
    if (q < log_.query_sessions.size()) sessions_of[query_number[q]] = log_.query_sessions[q];
  }
  log_.query_sessions = std::move(sessions_of);
  log_.query_begin.push_back(0);
  for (std::uint32_t q = 0; q < members.size(); ++q) {
    for (const std::uint32_t d : members[q]) {
      number[d] = static_cast<std::uint32_t>(log_.docids.size());
      log_.docids.push_back(documents_[d].text);
      log_.query_of.push_back(q);
      if (matched_) log_.row.push_back(row_[d]);
    }
    log_.query_begin.push_back(log_.docids.size());
  }
  for (ClickCell& one : log_.cells) one.document = number[one.document];
  std::sort(log_.cells.begin(), log_.cells.end(), [](const ClickCell& a, const ClickCell& b) {
    return std::pair(a.document, a.position) < std::pair(b.document, b.position);
  });
  log_.cell_begin.assign(log_.documents() + 1, 0);
  for (const ClickCell& one : log_.cells) log_.cell_begin[one.document + 1] += 1;
  std::partial_sum(log_.cell_begin.begin(), log_.cell_begin.end(), log_.cell_begin.begin());
  for (ShownDocument& one : log_.shown) one.document = number[one.document];
  for (ClickSession& one : log_.sessions) one.query = query_number[one.query];
  std::stable_sort(log_.sessions.begin(), log_.sessions.end(),
                   [](const ClickSession& a, const ClickSession& b) { return a.query < b.query; });
}

ClickLog LogBuilder::finish() {
  if (open_) end_session();
  if (log_.cells.empty())
    throw Error(ErrorCode::data,
                log_.lines == 0 ? "the click log has no lines" : "no line of the click log is left",
                {file_});
  log_.scattered = watch_.scattered();
  renumber();
  return std::move(log_);
}

}  // namespace podium

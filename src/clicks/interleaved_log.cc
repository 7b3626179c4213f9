// The outcomes of interleaved sessions, from a click log that is read once.
#include <optional>
#include <string_view>
#include <unordered_set>

#include <fmt/format.h>

#include "clicks/interleaving_tally.h"
#include "clicks/log_reader.h"
#include "clicks/session_watch.h"
#include "core/file_stamp.h"
#include "data/formats/parse_error.h"
#include "podium/error.h"

namespace podium {
namespace {

class InterleavedSessions {
 public:
  InterleavedSessions(const std::string& file, const InterleavedRankers* rankers, double alpha,
                      std::int64_t max_clicks)
      : file_(file),
        rankers_(rankers),
        tally_(alpha),
        max_clicks_(max_clicks),
        at_position_(kLastPosition + 1) {}

  void add(const LogPiece& piece, const LogHeader& header, std::size_t lines_before) {
    check_columns(header);
    for (const LogPiece::Row& row : piece.rows) {
      const auto& document = piece.documents[row.document];
      const std::string_view session = piece.sessions[row.session];
      const std::string_view query = piece.qids[document.scope].text;
      const Place place{file_, lines_before + row.line};
      if (!open_ || session != session_ || query != query_) begin(session, query, place);
      if (header.has(LogColumn::time))
        clock_.add(piece.values[static_cast<std::size_t>(&row - piece.rows.data())].time);
      add_row(row, std::string(document.text), header, place);
    }
  }

  InterleavingVerdict finish(Context& context) {
    end();
    const std::uint64_t scattered = watch_.scattered();
    if (scattered > 0) context.observer.note(scattered_sessions(scattered));
    InterleavingVerdict verdict = tally_.verdict(context);
    if (verdict.sessions == 0)
      throw Error(
          ErrorCode::data,
          bots_ > 0 ? "no session of the click log is left: all have more clicks than ‹max-clicks›"
                    : "the click log has no lines",
          {file_});
    verdict.bots = bots_;
    verdict.all_clicked = all_clicked_;
    if (bots_ > 0) context.observer.note(dropped_robots(bots_, max_clicks_));
    if (all_clicked_ > 0) context.observer.note(likely_robots(all_clicked_));
    if (!any_click_)
      context.observer.note("the log has no clicks: they alone say which ranker is preferred");
    return verdict;
  }

 private:
  void check_columns(const LogHeader& header) const {
    if (!header.has(LogColumn::owner) && !rankers_)
      throw Error(ErrorCode::data,
                  "the header has no column 'owner' (a or b, from `podium interleave make`): give "
                  "‹runs› to find the owners again",
                  {file_, 1});
    if (header.has(LogColumn::weight))
      throw Error(ErrorCode::data,
                  "sessions of an interleaving have no weights: leave out the column 'weight'",
                  {file_, 1});
  }

  void begin(std::string_view session, std::string_view query, const Place& place) {
    end();
    open_ = true;
    session_ = session;
    query_ = query;
    begin_ = place;
    watch_.begin(session, query);
    ++number_;
    documents_.clear();
    difference_ = 0;
    clicks_ = 0;
    if (!rankers_) return;
    if (!rankers_->has(query_))
      throw Error(ErrorCode::data, fmt::format("query '{}' is not in both runs", shortened(query_)),
                  place);
    list_ = rankers_->list(session_, query_, 0);
  }

  void add_row(const LogPiece::Row& row, const std::string& document, const LogHeader& header,
               const Place& place) {
    const auto twice = [&](const std::string& what) {
      return Error(ErrorCode::data,
                   fmt::format("{} twice in session '{}'", what, shortened(session_)), place);
    };
    if (at_position_[row.position] == number_)
      throw twice(fmt::format("position {} occurs", row.position));
    at_position_[row.position] = number_;
    if (!documents_.insert(document).second)
      throw twice(fmt::format("document '{}' is shown", shortened(document)));
    const char owner = rankers_ ? owner_by_rankers(row, document, header, place) : row.owner;
    clicks_ += row.click;
    if (row.click && owner != 0) difference_ += owner == 'a' ? 1 : -1;
  }

  char owner_by_rankers(const LogPiece::Row& row, const std::string& document,
                        const LogHeader& header, const Place& place) const {
    const auto differs = [&](std::string_view what) {
      return Error(ErrorCode::data,
                   fmt::format("{} at position {} of session '{}': the log is not of these runs, "
                               "‹method› and ‹seed›",
                               what, row.position, shortened(session_)),
                   place);
    };
    if (row.position > list_.size()) throw differs("nothing belongs");
    const InterleavedDocument& made = list_[row.position - 1];
    if (made.document != document)
      throw differs(fmt::format("'{}' belongs", shortened(made.document)));
    const char owner = made.owner == Owner::a ? 'a' : 'b';
    if (header.has(LogColumn::owner) && row.owner != owner)
      throw differs(fmt::format("the owner is {}", owner));
    return owner;
  }

  void end() {
    if (!open_) return;
    open_ = false;
    if (clock_.end())
      throw Error(ErrorCode::data,
                  fmt::format("the time runs backwards: session '{}' begins before the one above, "
                              "but the sequential p-value is that of sessions in the order of time",
                              shortened(session_)),
                  begin_);
    any_click_ = any_click_ || clicks_ > 0;
    if (max_clicks_ > 0 && clicks_ > max_clicks_) {
      bots_ += 1;
      return;
    }
    const std::size_t shown = documents_.size();
    if (shown >= kManyShown && clicks_ == static_cast<std::int64_t>(shown)) all_clicked_ += 1;
    tally_.add(query_, difference_ > 0 ? 1 : difference_ < 0 ? -1 : 0);
  }

  std::string file_;
  const InterleavedRankers* rankers_;
  InterleavingTally tally_;
  std::int64_t max_clicks_;
  SessionWatch watch_;
  SessionClock clock_;
  std::string session_, query_;
  bool open_ = false;
  std::uint64_t number_ = 0;
  std::vector<std::uint64_t> at_position_;  // the last session that had it
  std::unordered_set<std::string> documents_;
  std::vector<InterleavedDocument> list_;
  int difference_ = 0;  // clicks of a minus clicks of b
  std::int64_t clicks_ = 0;
  Place begin_;  // of the session
  std::uint64_t bots_ = 0, all_clicked_ = 0;
  bool any_click_ = false;
};

}  // namespace

InterleavingVerdict analyse_interleaved_log(const std::string& path,
                                            const InterleavedRankers* rankers, double alpha,
                                            Context& context, std::int64_t max_clicks) {
  context.observer.phase("reading " + path);
  return read_unchanged(path, [&] {
    InterleavedSessions sessions(path, rankers, alpha, max_clicks);
    read_log_pieces(
        *open_text(path, log_limits()), path,
        [&](const LogPiece& piece, const LogHeader& header, std::size_t before) {
          sessions.add(piece, header, before);
        },
        context);
    return sessions.finish(context);
  });
}

}  // namespace podium

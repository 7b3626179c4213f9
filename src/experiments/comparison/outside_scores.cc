#include "experiments/comparison/outside_scores.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "core/counted.h"
#include "core/file_stamp.h"
#include "core/unpack.h"
#include "podium/error.h"

namespace podium {
namespace {

std::vector<std::string_view> tab_separated(std::string_view line) {
  std::vector<std::string_view> cells;
  if (line.ends_with('\r')) line.remove_suffix(1);
  for (std::size_t begin = 0;;) {
    const std::size_t tab = line.find('\t', begin);
    cells.push_back(line.substr(begin, tab == line.npos ? tab : tab - begin));
    if (tab == line.npos) return cells;
    begin = tab + 1;
  }
}

// The columns of the header; npos if missing.
struct ScoreColumns {
  std::size_t fold = std::string_view::npos, qid = fold, docid = fold, score = fold, count = 0;

  static std::optional<ScoreColumns> parse(std::string_view line) {
    ScoreColumns columns;
    const auto names = tab_separated(line);
    columns.count = names.size();
    for (std::size_t c = 0; c < names.size(); ++c) {
      std::size_t* const place = names[c] == "fold"    ? &columns.fold
                                 : names[c] == "qid"   ? &columns.qid
                                 : names[c] == "docid" ? &columns.docid
                                 : names[c] == "score" ? &columns.score
                                                       : nullptr;
      if (!place || *place != std::string_view::npos) return {};
      *place = c;
    }
    if (columns.qid == std::string_view::npos || columns.score == std::string_view::npos) return {};
    return columns;
  }
};

std::optional<double> finite_number(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) return {};
  return number;
}

}  // namespace

OutsideScores::OutsideScores(const std::string& path) : path_(path) {
  const std::string text = read_unchanged(path, [&] { return read_file(path); });
  std::optional<ScoreColumns> columns;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    ++number;
    const auto refuse = [&](const std::string& why) {
      throw Error(ErrorCode::data, why, {path_, number});
    };
    if (!columns) {
      columns = ScoreColumns::parse(line);
      if (!columns)
        refuse(
            "the first line of a file of scores names its columns: qid and score, and docid or "
            "fold if there are any, separated by tabs (`podium score` writes this by ‹format "
            "table›)");
      has_folds_ = columns->fold != std::string_view::npos;
      has_docids_ = columns->docid != std::string_view::npos;
      continue;
    }
    const auto cells = tab_separated(line);
    if (cells.size() != columns->count)
      refuse(fmt::format("{}, but the header has {}", counted(cells.size(), "column"),
                         columns->count));
    const auto score = finite_number(cells[columns->score]);
    if (!score) refuse(fmt::format("'{}' is not a finite score", cells[columns->score]));
    const std::string fold(has_folds_ ? cells[columns->fold] : "");
    rows_[{fold, std::string(cells[columns->qid])}].push_back(
        {std::string(has_docids_ ? cells[columns->docid] : ""), *score});
  }
}

const std::vector<OutsideScores::Row>& OutsideScores::rows_of(const std::string& fold,
                                                              std::string_view qid) const {
  const auto found = rows_.find({has_folds_ ? fold : "", std::string(qid)});
  if (found == rows_.end())
    throw Error(ErrorCode::data,
                has_folds_ ? fmt::format("no scores for query {} in {}", qid, fold)
                           : fmt::format("no scores for query {}", qid),
                {path_});
  return found->second;
}

double OutsideScores::score_by_id(const std::vector<Row>& rows, std::string_view qid,
                                  std::string_view docid) const {
  const auto row =
      std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return r.docid == docid; });
  if (row == rows.end())
    throw Error(ErrorCode::data, fmt::format("no score for document {} of query {}", docid, qid),
                {path_});
  return row->score;
}

std::vector<double> OutsideScores::of(const std::string& fold, const Dataset& test) const {
  std::vector<double> scores;
  scores.reserve(test.documents());
  const bool by_id = has_docids_ && test.has_docids();
  for (std::size_t q = 0; q < test.queries(); ++q) {
    const auto& rows = rows_of(fold, test.qid(q));
    const std::size_t documents = test.end(q) - test.begin(q);
    if (rows.size() != documents)
      throw Error(ErrorCode::data,
                  fmt::format("{} of query {}, which has {}", counted(rows.size(), "score"),
                              test.qid(q), counted(documents, "document")),
                  {path_});
    for (std::size_t i = 0; i < documents; ++i)
      scores.push_back(by_id ? score_by_id(rows, test.qid(q), test.docid(test.begin(q) + i))
                             : rows[i].score);
  }
  return scores;
}

}  // namespace podium

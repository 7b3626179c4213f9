#include "data/formats/group_rows.h"

#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

namespace podium {
namespace {

// Builds the note about rows that are not contiguous.
class RegroupingNote {
 public:
  void add(std::string_view qid, std::size_t first_row, std::size_t rows) {
    if (named_ < kNamed) {
      if (named_ == 0 || qid != qid_) {
        text_ += fmt::format("{}qid {}: rows ", named_ ? "; " : "", qid);
        qid_ = qid;
      } else {
        text_ += ", ";
      }
      text_ += rows == 1 ? fmt::format("{}", first_row + 1)
                         : fmt::format("{}-{}", first_row + 1, first_row + rows);
      ++named_;
    }
    rows_ += rows;
    ++runs_;
  }
  std::string text() const {
    if (runs_ == 0) return {};
    return fmt::format("{} next to the others of {} qid and {} been regrouped ({}{})",
                       rows_ == 1 ? "1 row was not" : fmt::format("{} rows were not", rows_),
                       rows_ == 1 ? "its" : "their", rows_ == 1 ? "has" : "have", text_,
                       runs_ > named_ ? "; …" : "");
  }

 private:
  static constexpr std::size_t kNamed = 4;
  std::string text_, qid_;
  std::size_t named_ = 0, runs_ = 0, rows_ = 0;
};

std::vector<std::uint64_t> begins_of(std::vector<std::uint64_t> sizes) {
  std::uint64_t sum = 0;
  for (std::uint64_t& size : sizes) {
    const std::uint64_t begin = sum;
    sum += size;
    size = begin;
  }
  sizes.push_back(sum);
  return sizes;
}

}  // namespace

Grouping group_by_qid(const std::vector<RowPiece>& pieces, std::size_t first_row) {
  Grouping grouping;
  std::unordered_map<std::string_view, std::size_t> query_of;
  std::vector<std::uint64_t> sizes;
  std::vector<std::vector<std::size_t>> run_query(pieces.size());
  RegroupingNote note;
  std::size_t row = first_row;
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    for (const QueryRun& run : pieces[p].runs) {
      const auto [found, added] = query_of.try_emplace(pieces[p].qid(run), sizes.size());
      if (added) {
        sizes.push_back(0);
        grouping.qids.emplace_back(found->first);
      } else if (found->second + 1 != sizes.size()) {
        note.add(found->first, row, run.rows);
      }
      sizes[found->second] += run.rows;
      run_query[p].push_back(found->second);
      row += run.rows;
    }
  }
  grouping.note = note.text();
  grouping.query_begin = begins_of(std::move(sizes));
  std::vector<std::uint64_t> next(grouping.query_begin.begin(), grouping.query_begin.end() - 1);
  grouping.run_begin.resize(pieces.size());
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    for (std::size_t r = 0; r < run_query[p].size(); ++r) {
      std::uint64_t& begin = next[run_query[p][r]];
      grouping.run_begin[p].push_back(begin);
      begin += pieces[p].runs[r].rows;
    }
  }
  return grouping;
}

Grouping group_by_sizes(const std::vector<RowPiece>& pieces,
                        const std::vector<std::uint64_t>& sizes, std::size_t first_qid) {
  Grouping grouping;
  for (std::size_t q = 0; q < sizes.size(); ++q)
    grouping.qids.push_back(std::to_string(first_qid + q));
  grouping.query_begin = begins_of(sizes);
  std::uint64_t row = 0;
  for (const RowPiece& piece : pieces) {
    grouping.run_begin.emplace_back();
    for (const QueryRun& run : piece.runs) {
      grouping.run_begin.back().push_back(row);
      row += run.rows;
    }
  }
  return grouping;
}

}  // namespace podium

#include "clicks/log_share.h"

#include <string>

#include "distributed/gathered.h"
#include "podium/debiased.h"

namespace podium {
namespace {

struct Ids {
  std::vector<std::string> qids, docids;
  std::vector<std::uint64_t> lengths;  // of each query

  template <class Archive, class Self>
  static void fields(Archive& archive, Self& self) {
    archive(self.qids, self.docids, self.lengths);
  }
};

}  // namespace

Dataset ids_of_all_ranks(const Dataset& data, Communicator& comm) {
  Ids mine;
  for (std::size_t q = 0; q < data.queries(); ++q) {
    mine.qids.emplace_back(data.qid(q));
    mine.lengths.push_back(data.end(q) - data.begin(q));
    for (std::size_t d = data.begin(q); d < data.end(q); ++d)
      mine.docids.push_back(log_docid(data, q, d));
  }
  std::vector<std::uint64_t> begin = {0};
  std::vector<std::string> qids, docids;
  for (const Ids& ids : gathered(mine, comm)) {
    for (const std::uint64_t length : ids.lengths) begin.push_back(begin.back() + length);
    qids.insert(qids.end(), ids.qids.begin(), ids.qids.end());
    docids.insert(docids.end(), ids.docids.begin(), ids.docids.end());
  }
  DatasetParts parts;
  parts.labels = std::vector<float>(docids.size());
  parts.query_begin = std::move(begin);
  parts.qids = make_strings(qids);
  parts.docids = make_strings(docids);
  return Dataset(std::move(parts));
}

std::size_t rows_before(const Dataset& data, Communicator& comm) {
  const std::vector<std::uint64_t> rows =
      gathered(static_cast<std::uint64_t>(data.documents()), comm);
  std::size_t before = 0;
  for (int r = 0; r < comm.rank(); ++r) before += rows[static_cast<std::size_t>(r)];
  return before;
}

LogShare share_of(const ClickLog& log, std::size_t first, std::size_t rows) {
  LogShare share;
  ClickLog& mine = share.log;
  mine.positions = log.positions;
  mine.has_propensities = log.has_propensities;
  mine.lines = log.lines;
  mine.session_total = log.session_total;
  mine.held_total = log.held_total;
  mine.session_count = log.session_count;
  mine.query_begin = {0};
  mine.cell_begin = {0};
  std::vector<std::uint32_t> number(log.documents());
  std::size_t session = 0;
  for (std::uint32_t q = 0; q < log.queries(); ++q) {
    const std::uint64_t begin = log.query_begin[q], end = log.query_begin[q + 1];
    const bool own = log.row[begin] >= first && log.row[begin] - first < rows;
    const auto query = static_cast<std::uint32_t>(mine.qids.size());
    for (std::uint64_t d = begin; own && d < end; ++d) {
      number[d] = static_cast<std::uint32_t>(share.documents.size());
      share.documents.push_back(static_cast<std::uint32_t>(d));
      mine.docids.push_back(log.docids[d]);
      mine.query_of.push_back(query);
      mine.row.push_back(static_cast<std::uint32_t>(log.row[d] - first));
      for (ClickCell cell : log.cells_of(d)) {
        cell.document = number[d];
        mine.cells.push_back(cell);
      }
      mine.cell_begin.push_back(mine.cells.size());
    }
    for (; session < log.sessions.size() && log.sessions[session].query == q; ++session) {
      if (!own) continue;
      ClickSession one = log.sessions[session];
      one.query = query;
      one.begin = mine.shown.size();
      for (ShownDocument shown : log.documents_of(log.sessions[session])) {
        shown.document = number[shown.document];
        mine.shown.push_back(shown);
      }
      mine.sessions.push_back(one);
    }
    if (!own) continue;
    mine.qids.push_back(log.qids[q]);
    mine.query_begin.push_back(share.documents.size());
    mine.query_sessions.push_back(log.query_sessions[q]);
  }
  return share;
}

}  // namespace podium

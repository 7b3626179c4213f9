// Scores of a system that was trained elsewhere, for a comparison: a TSV file with a header line,
// one row per document.
//
//   qid     score            rows of a query in the order of the data
//   qid     docid   score    matched by the document's id
//   fold    qid     score    in designs that test a query in several folds (--trials)
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "podium/dataset.h"

namespace podium {

class OutsideScores {
 public:
  // Throws Errors with the location in the file.
  explicit OutsideScores(const std::string& path);

  // One score per document of `test`; throws a data Error that names the first query that does not
  // fit.
  std::vector<double> of(const std::string& fold, const Dataset& test) const;

 private:
  struct Row {
    std::string docid;
    double score = 0;
  };
  const std::vector<Row>& rows_of(const std::string& fold, std::string_view qid) const;
  double score_by_id(const std::vector<Row>& rows, std::string_view qid,
                     std::string_view docid) const;

  std::string path_;
  bool has_folds_ = false, has_docids_ = false;
  std::map<std::pair<std::string, std::string>, std::vector<Row>> rows_;  // [fold, qid]
};

}  // namespace podium

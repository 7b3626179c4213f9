// A summary of the data of a comparison: each query is counted once, even if several parts have it.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "experiments/report/column_summary.h"
#include "podium/dataset.h"

namespace podium {

struct DataSummary {
  std::uint64_t fingerprint = 0;  // of all parts in order, with ids, names and weights
  std::size_t queries = 0, documents = 0, features = 0;
  std::size_t empty = 0;                // queries without a relevant document
  std::map<float, std::size_t> grades;  // number of documents by grade
  std::vector<std::size_t> lengths;     // of the lists, ascending
  ColumnSummary columns;

  struct Bin {
    std::size_t from, to, queries;  // list lengths, inclusive
  };
  std::vector<Bin> length_histogram() const;
};

class DataSummaryBuilder {
 public:
  explicit DataSummaryBuilder(double relevant_from) : relevant_from_(relevant_from) {}
  void add(const Dataset& part);
  DataSummary finish();

 private:
  double relevant_from_;
  std::set<std::string, std::less<>> seen_;
  ColumnSummaryBuilder columns_;
  DataSummary summary_;
};

}  // namespace podium

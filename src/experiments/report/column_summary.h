// The columns of a comparison's data: which are categories or ignored, and how often values are
// missing.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "podium/dataset.h"

namespace podium {

struct ColumnSummary {
  struct Column {
    std::string name;
    FeatureType type = FeatureType::number;
    std::size_t values = 0;     // of a category
    std::uint64_t missing = 0;  // documents without a value
  };
  std::size_t categories = 0, with_missing = 0;
  std::vector<std::string> ignored;
  // Categories, then numbers with missing values; in each, most missing first. At most kMost.
  std::vector<Column> columns;
  static constexpr std::size_t kMost = 50;

  bool all_plain() const noexcept {
    return categories == 0 && with_missing == 0 && ignored.empty();
  }
};

class ColumnSummaryBuilder {
 public:
  // The part's columns; in_use[q]: whether the documents of its query q count.
  void add(const Dataset& part, const std::vector<char>& in_use);
  ColumnSummary finish() const;

 private:
  std::vector<std::size_t> places_of(const Dataset& part);

  std::vector<std::string> names_;
  std::unordered_map<std::string, std::size_t> places_;  // of names_; filled when parts differ
  std::vector<std::uint64_t> present_;                   // by place, documents with a value
  std::map<std::size_t, std::unordered_set<std::uint64_t>> values_;  // hashes, of categories
  std::vector<std::string> ignored_;
  std::uint64_t documents_ = 0;
  // Documents of parts whose absent features have a value: of all, and by place of those that have
  // the column.
  std::uint64_t filled_ = 0;
  std::vector<std::uint64_t> covered_;
};

}  // namespace podium

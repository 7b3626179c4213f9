// Finds the buckets of α in which one line crosses many others, several at a time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "line_search/jump_buckets.h"
#include "line_search/line_query.h"

namespace podium {

// The other lines, padded to whole vectors.
class OtherLines {
 public:
  void clear();
  void add(const Line& line);
  void pad();

  std::size_t size() const { return size_; }
  std::size_t padded_size() const { return slopes_.size(); }
  const double* slopes() const { return slopes_.data(); }
  const double* intercepts() const { return intercepts_.data(); }

 private:
  std::size_t size_ = 0;
  std::vector<double> slopes_, intercepts_;
};

// The code of a crossing inside the range is twice its bucket, plus 1 if the other line rises above
// this one; otherwise it is kNoCrossing.
using RowCode = std::uint16_t;
constexpr std::size_t kNoCrossing = 2 * kBuckets;
constexpr std::size_t kRowCodes = kNoCrossing + 1;

// One code for each of the other lines; the output must have room for padded_size() of them.
void find_row(const Line& line, const OtherLines& others, GridRange range,
              const SampledBuckets& bucket_of, RowCode* codes);

}  // namespace podium

// What the kernels of losses share. A loss sees the documents of a query as rows, in the order of
// their content (data/content.h); scores and derivatives are where the documents are stored.
#pragma once

#include <cstdint>

#include "device/atomics.h"
#include "device/both.h"

namespace podium {

struct LossArrays {
  const std::uint64_t* begin;   // of each query, and the end of the last
  const std::uint32_t* stored;  // where the document of each row is stored; null: as the rows
  const double* count;          // how often each query counts; null: once
  double* value;                // of each query
  const double* scores;         // by document, with the outputs of one next to each other
  double *first, *second;

  PODIUM_BOTH std::uint64_t document(std::uint64_t row) const { return stored ? stored[row] : row; }
  PODIUM_BOTH std::uint64_t documents(std::uint32_t query) const {
    return begin[query + 1] - begin[query];
  }
  // As often as the query counts.
  PODIUM_BOTH double counted(std::uint32_t query, double x) const {
    return count ? x * count[query] : x;
  }
  PODIUM_BOTH void write(std::uint64_t at, std::uint32_t query, double x, double curvature) const {
    first[at] = counted(query, x);
    second[at] = counted(query, curvature);
  }
};

PODIUM_BOTH inline bool is_finite_number(double x) {
  return (bits_of(x) >> 52 & 0x7FF) != 0x7FF;
}
PODIUM_BOTH inline double not_a_number() {
  return number_of(std::uint64_t{0x7FF8} << 48);
}

}  // namespace podium

// Outcomes of interleaved sessions, one at a time, in memory of the number of queries.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "podium/interleaving.h"

namespace podium {

class InterleavingTally {
 public:
  using Outcomes = std::map<std::string, std::pair<double, double>, std::less<>>;

  explicit InterleavingTally(double alpha) : alpha_(alpha) {}
  void add(std::string_view query, int winner);
  InterleavingVerdict verdict(Context& context) const;

 private:
  double alpha_;
  SequentialTest test_;
  InterleavingVerdict verdict_;
  Outcomes by_query_;  // Σ outcomes, sessions
};

}  // namespace podium

// What `auto` may try: each learner with its defaults (point 0), then with points of a Latin
// hypercube over the ranges that it declares.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "podium/options.h"
#include "podium/training.h"

namespace podium {

struct Candidate {
  std::size_t family = 0, point = 0;
  auto operator<=>(const Candidate&) const = default;
};

class CandidateTable {
 public:
  // Usage Error for unknown learners. The baselines are appended if the list lacks them.
  CandidateTable(const std::vector<std::string>& learners, std::uint64_t seed);

  std::size_t families() const noexcept { return searched_; }  // without appended baselines
  std::size_t points(std::size_t family) const { return families_[family].points.size(); }
  const std::string& learner(const Candidate& candidate) const {
    return families_[candidate.family].learner;
  }
  const Assignments& options(const Candidate& candidate) const {
    return families_[candidate.family].points[candidate.point];
  }
  // In which families are tried: the flagship, lambdamart, first, then as they are listed.
  std::vector<std::size_t> order() const;
  // lambdamart and the best feature, with their defaults.
  Candidate boosted_baseline() const noexcept { return {boosted_, 0}; }
  Candidate feature_baseline() const noexcept { return {feature_, 0}; }
  // "lambdamart(leaves=12,l2=3.1)"
  std::string text(const Candidate& candidate) const;

 private:
  struct Family {
    std::string learner;
    std::vector<Assignments> points;
  };
  std::size_t find_or_append(const std::string& learner);

  std::vector<Family> families_;
  std::size_t searched_ = 0, boosted_ = 0, feature_ = 0;
};

}  // namespace podium

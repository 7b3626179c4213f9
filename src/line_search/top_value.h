// The value of the first τ documents, in units, while they change places. `top(k)` is the document
// at rank k.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "line_search/line_query.h"

namespace podium {

// offset + Σ gain · weight, each product an integer number of units, so that a swap changes two of
// them. Twins share the mean of their gains, which is the expected value under ties.
class AdditiveTopValue {
 public:
  AdditiveTopValue(const LineQuery& query, std::span<const double> gains,
                   std::span<const double> unit_weights)
      : offset_(to_whole(query.offset * query.units)), gains_(gains), weights_(unit_weights) {}

  template <class Top>
  std::int64_t of(Top&& top) const {
    std::int64_t sum = offset_;
    for (std::size_t k = 0; k < weights_.size(); ++k) sum += term(top(k), k);
    return sum;
  }
  // The new value after `up` has passed `down` and is at rank k.
  template <class Top>
  std::int64_t after_swap(Top&&, std::size_t k, std::uint32_t up, std::uint32_t down,
                          std::int64_t value) const {
    value += term(up, k) - term(down, k);
    return k + 1 < weights_.size() ? value + term(down, k + 1) - term(up, k + 1) : value;
  }
  bool needs_settled_order() const { return false; }

 private:
  std::int64_t term(std::uint32_t document, std::size_t rank) const {
    return to_whole(gains_[document] * weights_[rank]);
  }

  std::int64_t offset_;
  std::span<const double> gains_;
  std::span<const double> weights_;  // one per rank that matters
};

// Any measure, evaluated again. It does not depend on documents after the first τ, but a tied group
// that extends beyond them is included as a whole.
class GeneralTopValue {
 public:
  GeneralTopValue(const LineQuery& query, std::size_t ranks, const Twins* twins)
      : query_(query),
        ranks_(ranks),
        twins_(twins),
        by_rank_(query.documents(), std::numeric_limits<float>::quiet_NaN()) {}

  template <class Top>
  std::int64_t of(Top&& top) {
    ends_.clear();
    std::size_t end = 0;
    for (std::size_t k = 0; k < ranks_; ++k) {
      const std::uint32_t group = group_of(top(k));
      if (group == Twins::kAlone) {
        by_rank_[end++] = query_.labels[top(k)];
      } else if (k == 0 || group_of(top(k - 1)) != group) {
        for (const std::uint32_t document : twins_->groups()[group])
          by_rank_[end++] = query_.labels[document];
      } else {
        continue;
      }
      if (twins_) ends_.push_back(static_cast<std::uint32_t>(end));
    }
    if (twins_ && end < by_rank_.size())
      ends_.push_back(static_cast<std::uint32_t>(by_rank_.size()));
    return query_.evaluate(by_rank_, ends_);
  }
  template <class Top>
  std::int64_t after_swap(Top&& top, std::size_t, std::uint32_t up, std::uint32_t down,
                          std::int64_t value) {
    return query_.labels[up] == query_.labels[down] ? value : of(top);
  }
  // Between two swaps at the same α the documents of a tied group may be separated.
  bool needs_settled_order() const { return twins_ != nullptr; }

 private:
  std::uint32_t group_of(std::uint32_t document) const {
    return twins_ ? twins_->group_of(document) : Twins::kAlone;
  }

  const LineQuery& query_;
  std::size_t ranks_;
  const Twins* twins_;  // null: no ties
  std::vector<float> by_rank_;
  std::vector<std::uint32_t> ends_;
};

}  // namespace podium

// The value of a whole list, in units, for binary measures without ties: it depends on the ranks of
// relevant documents, not on which of them is where, so only their crossings with the others count.
//
//   V[k]  others above the k-th relevant document: its rank is k + V[k]
//   u[d]  relevant documents above the other document d
//
// When d rises above a relevant document, that is the (u[d] − 1)-th. V is a function of u alone, so
// crossings at the same α may be processed in any order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "line_search/inversion_state.h"
#include "line_search/inversion_terms.h"
#include "line_search/line_query.h"

namespace podium {

// For atoms that are single documents.
template <class Terms>
class RelevantState {
 public:
  static constexpr bool kCarriersMeet = false;

  RelevantState(const LineQuery& query, std::span<const Atom> atoms)
      : query_(query),
        geometric_(query.measure.aggregation() == Aggregation::geometric),
        term_of_(query, atoms, geometric_ ? kGeometricUnits : query.units),
        relevant_above_(atoms.size()) {
    for (std::uint32_t atom = 0; atom < atoms.size(); ++atom) {
      kinds_.push_back(term_of_.carries(atom) ? AtomKind::carrier
                       : term_of_.meets(atom) ? AtomKind::other
                                              : AtomKind::ignored);
      if (kinds_.back() != AtomKind::carrier) continue;
      one_relevant_ = atom;
      others_above_.push_back(0);
    }
    terms_.resize(others_above_.size());
  }

  AtomKind kind(std::uint32_t atom) const { return kinds_[atom]; }

  std::int64_t start(std::span<const std::uint32_t> order) {
    std::uint32_t relevant = 0, others = 0;
    sum_ = 0;
    for (const std::uint32_t atom : order) {
      relevant_above_[atom] = relevant;
      if (kinds_[atom] == AtomKind::other) {
        ++others;
      } else if (kinds_[atom] == AtomKind::carrier) {
        others_above_[relevant] = others;
        terms_[relevant] = term(relevant);
        sum_ += terms_[relevant++];
      }
    }
    return value();
  }
  // Atom i falls below atom j.
  void cross(std::uint32_t i, std::uint32_t j) {
    const std::uint32_t rises = kinds_[i] == AtomKind::carrier;  // the other document
    pass(rises ? j : i, rises);
  }
  // The other document rises (1) above a relevant one, or falls (0) below one.
  void pass(std::uint32_t other, std::uint32_t rises) {
    const std::uint32_t k = relevant_above_[other] - rises;
    relevant_above_[other] = k + 1 - rises;
    others_above_[k] += 2 * rises - 1;
    const std::int64_t now = term(k);
    sum_ += now - terms_[k];
    terms_[k] = now;
  }
  std::int64_t settle() const { return value(); }
  // Changes the number of relevant documents above the other one. Must be followed by restart().
  void shift(std::uint32_t other, std::int32_t by) {
    relevant_above_[other] += static_cast<std::uint32_t>(by);
  }
  std::int64_t restart() {
    std::fill(others_above_.begin(), others_above_.end(), 0);
    for (std::uint32_t atom = 0; atom < kinds_.size(); ++atom)
      if (kinds_[atom] == AtomKind::other && relevant_above_[atom] < others_above_.size())
        ++others_above_[relevant_above_[atom]];
    std::partial_sum(others_above_.begin(), others_above_.end(), others_above_.begin());
    sum_ = 0;
    for (std::uint32_t k = 0; k < terms_.size(); ++k) sum_ += terms_[k] = term(k);
    return value();
  }
  std::int64_t cross_alone(std::uint32_t i, std::uint32_t j) {
    cross(i, j);
    return value();
  }

 private:
  std::int64_t term(std::uint32_t k) const {
    return term_of_.of_single(one_relevant_, k, others_above_[k]);
  }
  std::int64_t value() const {
    return geometric_ ? query_.to_units(static_cast<double>(sum_) / kGeometricUnits) : sum_;
  }

  const LineQuery& query_;
  bool geometric_;
  Terms term_of_;
  std::uint32_t one_relevant_ = 0;
  std::vector<AtomKind> kinds_;
  std::vector<std::uint32_t> relevant_above_;  // u, by atom
  std::vector<std::uint32_t> others_above_;    // V
  std::vector<std::int64_t> terms_;            // of the k-th relevant document
  std::int64_t sum_ = 0;
};

}  // namespace podium

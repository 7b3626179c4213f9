// The value of a whole list, in units, updated as atoms cross.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "line_search/inversion_terms.h"
#include "line_search/line_query.h"

namespace podium {

// For measures that are sums of terms.
template <class Terms>
class TermState {
 public:
  TermState(const LineQuery& query, std::span<const Atom> atoms)
      : query_(query),
        geometric_(query.measure.aggregation() == Aggregation::geometric),
        term_of_(query, atoms, geometric_ ? kGeometricUnits : query.units) {
    for (std::uint32_t atom = 0; atom < atoms.size(); ++atom)
      standing_.push_back({.mark = term_of_.mark(atom),
                           .size = atoms[atom].size(),
                           .flags = term_of_.carries(atom) ? kCarries : 0});
  }

  static constexpr bool kCarriersMeet = true;
  AtomKind kind(std::uint32_t atom) const {
    return standing_[atom].flags & kCarries ? AtomKind::carrier : AtomKind::other;
  }

  std::int64_t start(std::span<const std::uint32_t> order) {
    std::uint32_t rank = 0;
    std::uint64_t above = 0;
    sum_ = term_of_.offset();
    for (const std::uint32_t atom : order) {
      Standing& standing = standing_[atom];
      standing.rank = rank;
      standing.above = above;
      standing.term = 0;
      update(atom);
      rank += standing.size;
      above += standing.mark;
    }
    return value();
  }
  // Atom i falls below atom j.
  void cross(std::uint32_t i, std::uint32_t j) {
    move(i, j);
    touch(i);
    touch(j);
  }
  // The value after all crossings at one α.
  std::int64_t settle() {
    for (const std::uint32_t atom : touched_) {
      standing_[atom].flags &= ~kTouched;
      update(atom);
    }
    touched_.clear();
    return value();
  }
  // Both, for a crossing that is the only one at its α.
  std::int64_t cross_alone(std::uint32_t i, std::uint32_t j) {
    move(i, j);
    update(i);
    update(j);
    return value();
  }

 private:
  static constexpr std::uint32_t kCarries = 1, kTouched = 2;
  struct Standing {
    std::uint64_t above = 0;  // marks
    std::uint64_t mark;
    std::int64_t term = 0;
    std::uint32_t rank = 0;
    std::uint32_t size;
    std::uint32_t flags;
  };

  void move(std::uint32_t i, std::uint32_t j) {
    Standing &falls = standing_[i], &rises = standing_[j];
    falls.rank += rises.size;
    rises.rank -= falls.size;
    falls.above += rises.mark;
    rises.above -= falls.mark;
  }
  void update(std::uint32_t atom) {
    Standing& standing = standing_[atom];
    if (!(standing.flags & kCarries)) return;
    const std::int64_t term = term_of_(atom, standing.rank, standing.above);
    sum_ += term - standing.term;
    standing.term = term;
  }
  void touch(std::uint32_t atom) {
    if (standing_[atom].flags & kTouched) return;
    standing_[atom].flags |= kTouched;
    touched_.push_back(atom);
  }
  std::int64_t value() const {
    return geometric_ ? query_.to_units(static_cast<double>(sum_) / kGeometricUnits) : sum_;
  }

  const LineQuery& query_;
  bool geometric_;
  Terms term_of_;
  std::vector<Standing> standing_;
  std::vector<std::uint32_t> touched_;
  std::int64_t sum_ = 0;
};

// The ranking itself, evaluated with the measure.
class RankingState {
 public:
  RankingState(const LineQuery& query, std::span<const Atom> atoms)
      : query_(query),
        atoms_(atoms),
        ranks_(atoms.size()),
        by_rank_(query.documents()),
        group_at_(query.documents() + 1) {}

  static constexpr bool kCarriersMeet = true;
  AtomKind kind(std::uint32_t) const { return AtomKind::carrier; }

  std::int64_t start(std::span<const std::uint32_t> order) {
    std::uint32_t rank = 0;
    std::fill(group_at_.begin(), group_at_.end(), 0);
    for (const std::uint32_t atom : order) {
      ranks_[atom] = rank;
      place(atom);
      rank += atoms_[atom].size();
    }
    value_ = evaluate();
    return value_;
  }
  void cross(std::uint32_t i, std::uint32_t j) {
    ranks_[i] += atoms_[j].size();
    ranks_[j] -= atoms_[i].size();
    const bool alike =
        atoms_[i].size() == 1 && atoms_[j].size() == 1 &&
        query_.labels[atoms_[i].documents[0]] == query_.labels[atoms_[j].documents[0]];
    changed_ = changed_ || !alike;
    touched_.push_back(i);
    touched_.push_back(j);
  }
  std::int64_t cross_alone(std::uint32_t i, std::uint32_t j) {
    cross(i, j);
    return settle();
  }
  std::int64_t settle() {
    for (const std::uint32_t atom : touched_)
      for (std::uint32_t r = 1; r <= atoms_[atom].size(); ++r) group_at_[ranks_[atom] + r] = 0;
    for (const std::uint32_t atom : touched_) place(atom);
    touched_.clear();
    if (changed_) value_ = evaluate();
    changed_ = false;
    return value_;
  }

 private:
  void place(std::uint32_t atom) {
    std::uint32_t rank = ranks_[atom];
    for (const std::uint32_t document : atoms_[atom].documents)
      by_rank_[rank++] = query_.labels[document];
    group_at_[rank] = 1;
  }
  std::int64_t evaluate() {
    ends_.clear();
    if (atoms_.size() < by_rank_.size())
      for (std::uint32_t rank = 1; rank < group_at_.size(); ++rank)
        if (group_at_[rank]) ends_.push_back(rank);
    return query_.evaluate(by_rank_, ends_);
  }

  const LineQuery& query_;
  std::span<const Atom> atoms_;
  std::vector<std::uint32_t> ranks_;
  std::vector<float> by_rank_;
  std::vector<std::uint8_t> group_at_;  // whether a group ends there
  std::vector<std::uint32_t> ends_;
  std::vector<std::uint32_t> touched_;
  std::int64_t value_ = 0;
  bool changed_ = false;
};

}  // namespace podium

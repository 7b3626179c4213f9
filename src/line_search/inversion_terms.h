// Whole-list measures as sums over atoms (documents, or groups that tie everywhere): each term
// depends on the atom's first rank and on the sum of the marks above it. Terms are in units,
// `units` per value of 1.
//
//                marks                      term
//   additive     none                       mean gain · Σ weight over its ranks
//   precision    relevant documents         its part of Σ precisions, expected under ties
//   first        relevant documents         expected 1/(rank + 1) if none is above, else 0
//   cascade      documents per stopping     Π (1 − R) above · Σ probability of R/(rank + 1)
//                probability R
//   pairs        bad documents              good · bad pairs in the right order
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "line_search/line_query.h"

namespace podium {

// Which crossings of an atom count: those of a carrier of a term with others (and with carriers,
// for some states); crossings with ignored atoms never count.
enum class AtomKind : std::uint8_t { ignored, carrier, other };

constexpr double kGeometricUnits = 0x1p50;  // for values that go through a logarithm

// A document, or the documents that share a line.
struct Atom {
  Line line;
  std::span<const std::uint32_t> documents;

  std::uint32_t size() const { return static_cast<std::uint32_t>(documents.size()); }
};

class AdditiveTerms {
 public:
  AdditiveTerms(const LineQuery& query, std::span<const Atom> atoms, double units);
  std::int64_t offset() const { return offset_; }
  bool carries(std::uint32_t atom) const { return gains_[atom] != 0; }
  std::uint64_t mark(std::uint32_t) const { return 0; }
  std::int64_t operator()(std::uint32_t atom, std::uint32_t rank, std::uint64_t) const {
    const std::uint32_t size = sizes_[atom];
    return to_whole(gains_[atom] * (size == 1 ? weights_[rank] : sums_[rank + size] - sums_[rank]));
  }

 private:
  std::int64_t offset_;
  std::vector<double> gains_;
  std::vector<std::uint32_t> sizes_;
  std::vector<double> weights_, sums_;  // in units
};

// Relevant documents of each atom, for the binary forms.
class RelevantTerms {
 public:
  bool carries(std::uint32_t atom) const { return relevant_[atom] > 0; }
  // Whether this atom counts in the ranks of relevant documents.
  bool meets(std::uint32_t) const { return true; }
  std::int64_t offset() const { return 0; }

 protected:
  RelevantTerms(const LineQuery& query, std::span<const Atom> atoms);

  std::vector<std::uint32_t> sizes_;
  std::vector<std::uint32_t> relevant_;
  double all_relevant_ = 0;
};

class PrecisionTerms : public RelevantTerms {
 public:
  PrecisionTerms(const LineQuery& query, std::span<const Atom> atoms, double units);
  std::uint64_t mark(std::uint32_t atom) const { return relevant_[atom]; }
  std::int64_t operator()(std::uint32_t atom, std::uint32_t rank, std::uint64_t above) const {
    return sizes_[atom] == 1 ? to_whole(static_cast<double>(above + 1) * shares_[rank])
                             : of_group(atom, rank, above);
  }
  // The term of the k-th relevant document (any of them), with `others` above it.
  std::int64_t of_single(std::uint32_t, std::uint32_t k, std::uint32_t others) const {
    return to_whole(static_cast<double>(k + 1) * shares_[k + others]);
  }

 private:
  std::int64_t of_group(std::uint32_t atom, std::uint32_t rank, std::uint64_t above) const;

  double unit_;                   // of one relevant document
  std::vector<double> shares_;    // unit/(rank + 1)
  std::vector<double> harmonic_;  // Σ_{r<i} 1/(r + 1)
};

class FirstTerms : public RelevantTerms {
 public:
  FirstTerms(const LineQuery& query, std::span<const Atom> atoms, double units)
      : RelevantTerms(query, atoms), units_(units) {}
  std::uint64_t mark(std::uint32_t atom) const { return relevant_[atom]; }
  std::int64_t operator()(std::uint32_t atom, std::uint32_t rank, std::uint64_t above) const;
  std::int64_t of_single(std::uint32_t relevant, std::uint32_t k, std::uint32_t others) const {
    return k == 0 ? (*this)(relevant, others, 0) : 0;
  }

 private:
  double units_;
};

class PairTerms : public RelevantTerms {
 public:
  PairTerms(const LineQuery& query, std::span<const Atom> atoms, double units);
  std::uint64_t mark(std::uint32_t atom) const { return bad_[atom]; }
  std::int64_t operator()(std::uint32_t atom, std::uint32_t, std::uint64_t above) const {
    const double below = all_bad_ - static_cast<double>(above) - 0.5 * bad_[atom];
    return to_whole(relevant_[atom] * below * unit_);
  }
  std::int64_t of_single(std::uint32_t relevant, std::uint32_t, std::uint32_t others) const {
    return (*this)(relevant, 0, others);
  }
  bool meets(std::uint32_t atom) const { return bad_[atom] > 0; }

 private:
  std::vector<std::uint32_t> bad_;
  double all_bad_ = 0;
  double unit_ = 0;  // of one pair
};

class CascadeTerms {
 public:
  // Whether the query has few enough grades.
  static bool fits(const LineQuery& query);

  CascadeTerms(const LineQuery& query, std::span<const Atom> atoms, double units);
  std::int64_t offset() const { return 0; }
  bool carries(std::uint32_t atom) const { return marks_[atom] != 0; }
  std::uint64_t mark(std::uint32_t atom) const { return marks_[atom]; }
  std::int64_t operator()(std::uint32_t atom, std::uint32_t rank, std::uint64_t above) const;

 private:
  static constexpr std::size_t kGrades = 4;  // counts of 16 bits each
  static constexpr std::uint64_t kMostDocuments = 0xFFFF;

  static std::vector<double> stops_of(const LineQuery& query);

  double units_;
  std::vector<std::vector<double>> powers_;  // (1 − R)^count, by grade
  std::vector<std::uint64_t> marks_;
  std::vector<std::uint32_t> first_chance_;  // of an atom; one per document
  std::vector<double> chances_;              // of stopping at the group's p-th document
};

}  // namespace podium

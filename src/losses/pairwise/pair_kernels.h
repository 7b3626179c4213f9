// The inner loops of pair losses, in the widest vectors that the machine supports. Every machine
// computes the same bits. All arrays are indexed by position in an order of the query's documents
// and are read up to the next multiple of kPairBlock; elements after the last document must be
// numbers.
#pragma once

#include <cstddef>

namespace podium {

constexpr std::size_t kPairBlock = 8;
constexpr std::size_t kRankBlock = 16;

// The parameters of a pair function.
struct PairShape {
  double margin = 0;
  double grade_margin = 0;
  double nearest = 0;
};

// The pairs of one document, the pivot, with those at positions begin … end − 1 (multiples of
// kPairBlock). The document with the higher grade is the better one.
struct PairRow {
  const double* score;  // times σ
  const double* power;  // e^{σ(s − c)}; only for kernels from powers
  const double* grade;
  const double* weight;  // of each pair, ≥ 0; 0: no pair
  double* first;         // the derivatives, added to
  double* second;
  std::size_t pivot, begin, end;
};

struct RowSums {
  double value = 0;
  double force = 0;  // Σ weight · |φ'|
};

using PairRowKernel = RowSums (*)(const PairRow&, const PairShape&);

struct PairKernels {
  // The kernels `…_slopes` leave the value 0.
  PairRowKernel logistic, logistic_from_powers, logistic_slopes, near_logistic,
      near_logistic_from_powers, near_logistic_slopes, hinge, squared_hinge, exponential, fidelity,
      margin, literal_margin;
  // power = e^{s − centre} at positions 0 … end − 1.
  void (*powers)(const double* score, std::size_t end, double centre, double* power);
  // rank[i] = #{j < documents: s_j > s_i, or s_j = s_i and j < i}. Both arrays extend to the next
  // multiple of kRankBlock; for up to 2^24 documents.
  void (*ranks)(const float* score, std::size_t documents, float* rank);
};

const PairKernels& pair_kernels();

}  // namespace podium

// Shapley values of trees, path-dependent [Lundberg20]: in the game, a split on a feature outside
// the coalition sends the document both ways, weighted by the fractions of training documents.
//
// On the path to a leaf with value v, feature i has o_i ∈ {0, 1}, whether the document follows the
// path at all splits on i, and z_i, the product of the fractions at those splits. Then the leaf's
// part of the game is v Π_{i∈S} o_i Π_{i∉S} z_i, whose Shapley value is [Owen72]
//
//   φ_i = v (o_i − z_i) ∫₀¹ Π_{j≠i} ((1 − t) z_j + t o_j) dt,
//
// a polynomial of degree at most (features on the path) − 1, so half as many Gauss–Legendre points
// integrate it exactly. All factors are ≥ 0: nothing cancels. O(leaves · depth²) per document.
#pragma once

#include <span>
#include <vector>

#include "models/explain/gauss_legendre.h"
#include "podium/model.h"

namespace podium {

class TreeShap {
 public:
  // The tree must outlive this object. Throws an Error (data) if it is deeper than 1000 splits.
  explicit TreeShap(const Tree& tree);

  // The tree's mean value over the training documents. If none was counted on either side of a
  // split, both sides have the same weight.
  double expected() const noexcept { return expected_; }
  // Adds factor · φ to `contributions`, one per feature.
  void add(const float* features, double factor, std::span<double> contributions) const;

 private:
  class Walk;

  const Tree& tree_;
  std::vector<double> left_share_;  // of each node
  double expected_ = 0;
  Quadrature quadrature_;
};

}  // namespace podium

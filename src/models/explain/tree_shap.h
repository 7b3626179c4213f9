// Shapley values of trees, path-dependent [Lundberg20]: in the game, a split by a feature outside
// the coalition sends the document both ways, by the shares of training documents.
//
// On the way to one leaf with value v, let feature i be met with o_i ∈ {0, 1}, whether the document
// follows the way wherever it splits by i, and z_i, the product of those splits' shares. Then the
// leaf's part of the game is v Π_{i∈S} o_i Π_{i∉S} z_i, whose Shapley value is [Owen72]
//
//   φ_i = v (o_i − z_i) ∫₀¹ Π_{j≠i} ((1 − t) z_j + t o_j) dt,
//
// a polynomial of degree at most (features on the way) − 1, so half as many Gauss–Legendre points
// integrate it exactly. All factors are ≥ 0: nothing cancels. O(leaves · depth²) a document.
#pragma once

#include <span>
#include <vector>

#include "models/explain/gauss_legendre.h"
#include "podium/model.h"

namespace podium {

class TreeShap {
 public:
  // The tree must live on. Error (data) when it is deeper than 1000 splits.
  explicit TreeShap(const Tree& tree);

  // The tree's mean value over the training documents. Where none was counted on either side of a
  // split, both sides weigh the same.
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

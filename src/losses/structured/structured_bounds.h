// The two bounds on Δ that an oracle provides: the convex hinge of the structural SVM,
//
//   H(s) = max_y [ Δ(y) − <c(y), s> ]
//
// and the ramp, which subtracts the value of the ranking ŷ(s) by score:
//
//   R(s) = H(s) + <c(ŷ(s)), s>,   Δ(ŷ(s)) ≤ R(s) ≤ max_y Δ(y)
//
// The hinge grows without bound for queries that no model ranks well, which is why its optimum is
// w = 0 on noisy data; the ramp does not. With F(y) = −<c(y), s> the ramp is the maximum of Δ + F
// minus the maximum of F, a difference of convex functions: freezing ŷ at the scores s_t gives a
// convex bound that touches there, H(s) + <c(ŷ_t), s> [Yuille03], [Do08].
//
// If only the topmost good g₀ counts (φ_mrr), the g₀ of ŷ is the best-scored good, and it is the
// same for all rankings that are compared: H is that of the query with this one good. The bound
// that touches at s_t keeps g_t = g₀(s_t) in H and, with r_t bads above it, adds r_t (max_g s_g −
// s_{g_t}): the good may change, but only to a better one. Of several best-scored goods the first
// counts.
#pragma once

#include <memory>

#include "losses/relevance_split.h"
#include "podium/loss.h"
#include "podium/oracle.h"

namespace podium {

// The queries of a data set in the form that oracles need.
class StructuredQueries {
 public:
  StructuredQueries(const Dataset& data, std::shared_ptr<const RankingOracle> oracle,
                    double relevant_from)
      : data_(data), oracle_(std::move(oracle)), split_(data, relevant_from) {}

  const Dataset& data() const noexcept { return data_; }
  const RankingOracle& oracle() const noexcept { return *oracle_; }
  OracleQuery query(std::size_t q) const {
    return {data_.labels(q), split_.good(q), split_.bad(q)};
  }
  // Whether there are good and bad documents; two grades if the oracle distinguishes grades.
  bool informative(std::size_t q) const;

 private:
  const Dataset& data_;
  std::shared_ptr<const RankingOracle> oracle_;
  RelevanceSplit split_;
};

std::unique_ptr<const BoundLoss> bind_structured_hinge(
    std::shared_ptr<const StructuredQueries> queries);
std::unique_ptr<const BoundLoss> bind_structured_ramp(
    std::shared_ptr<const StructuredQueries> queries);

}  // namespace podium

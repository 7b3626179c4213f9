// Oracles: the most violated ranking of a query, the core of a structural SVM. With a feature map
// φ and a loss Δ, the margin-rescaled hinge of one query is
//
//   L(s) = max_y [ Δ(y) − Σ_i c_i(y) s_i ],   φ(y*) − φ(y) = Σ_i c_i(y) x_i
//
// so an oracle sees scores and labels and returns Δ(ŷ) and c(ŷ) of a maximiser ŷ, exactly. The
// structured losses (src/losses/structured/structured_bounds.h) turn any oracle into a loss for any
// model.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "podium/catalog.h"
#include "podium/label_use.h"
#include "podium/stop.h"

namespace podium {

// One query: its labels, and which documents are relevant ("good", grade ≥ relevant-from) or not
// ("bad").
struct OracleQuery {
  std::span<const float> labels;
  std::span<const std::uint32_t> good;
  std::span<const std::uint32_t> bad;
  StopCheck stop = {};  // checked by oracles that take long
};

class RankingOracle {
 public:
  virtual ~RankingOracle() = default;

  // "ndcg@10": as a spec (core/spec.h) it names the same oracle.
  virtual std::string name() const = 0;

  // Δ of a ranking that maximises Δ(y) − <c(y), scores>, and its coefficients in `c` (one per
  // document). The query has at least one good and one bad document, and scores are finite.
  virtual double most_violated(const OracleQuery& query, std::span<const double> scores,
                               std::span<double> c) const = 0;

  // The coefficients c(y) of the ranking y by descending scores. It maximises −<c(y), scores>.
  virtual void by_score(const OracleQuery& query, std::span<const double> scores,
                        std::span<double> c) const = 0;

  // Which good documents Δ and c depend on: all of them, or only the topmost one. In the latter
  // case by_score() maximises −<c(y), scores> only among rankings with the same topmost good.
  enum class Goods { all, topmost };
  virtual Goods goods() const noexcept { return Goods::all; }

  // Whether the oracle distinguishes grades, or only good from bad.
  enum class Labels { binary, graded };
  virtual Labels labels() const noexcept { return Labels::binary; }
  // Of grades, where it distinguishes them.
  virtual LabelUse label_use() const { return {}; }
};

const Catalog<RankingOracle>& oracles();

}  // namespace podium

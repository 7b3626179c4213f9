// AUC: Δ is the fraction of good-bad pairs in the wrong order, [Chakrabarti08] eq. 7. With φ_po
// every pair is decided independently: bad b goes above good g iff s_b > s_g − ½ (eq. 8). Merges
// two sorted lists: O(n log n).
#include "oracles/catalog.h"
#include "oracles/partial_order.h"

namespace podium {
namespace {

class Auc final : public PartialOrderOracle {
 public:
  std::string name() const override { return "auc"; }

  double most_violated(const OracleQuery& query, std::span<const double> scores,
                       std::span<double> c) const override {
    const PartialOrder order(query, scores);
    const SortedQuery& sorted = order.sorted();
    std::vector<std::uint32_t> columns(order.goods());
    std::size_t b = 0;
    double violated = 0;
    for (std::size_t g = 0; g < order.goods(); ++g) {
      while (b < order.bads() && sorted.bad_score[b] > sorted.good_score[g] - 0.5) ++b;
      columns[g] = static_cast<std::uint32_t>(b);
      violated += static_cast<double>(b);
    }
    order.coefficients(columns, c);
    return 0.5 * order.pair_weight() * violated;
  }
};

}  // namespace

const Entry<RankingOracle> kAucOracle = {
    "auc", "share of good-bad pairs in the wrong order", "Chakrabarti08", no_options,
    [](const Settings&) -> std::unique_ptr<const RankingOracle> {
      return std::make_unique<Auc>();
    }};

}  // namespace podium

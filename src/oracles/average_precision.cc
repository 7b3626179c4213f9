// Average precision: Δ = 1 − AP with φ_po, [Yue07]. With goods and bads in score order (from 1),
// bad j above goods k … n⁺ adds
//
//   h_j(k) = Σ_{i=k}^{n⁺} [ (j/(j+i) − (j−1)/(j+i−1)) / n⁺ − 2 (s_i − s_j) / (n⁺n⁻) ]
//
// and the bads are decided independently; the best k does not decrease with j. The harmonic part
// comes from a table of H(m) = 1 + … + 1/m, the score part from prefix sums. Differs from [Yue07]
// section 3.3: divide and conquer over j gives O(n log n) instead of O(n⁺n⁻), and the score part
// keeps the factor 1/(n⁺n⁻) that its eq. 5 drops.
#include "oracles/catalog.h"
#include "oracles/partial_order.h"

namespace podium {
namespace {

double precision_loss(std::span<const std::uint32_t> columns) {
  const auto goods = static_cast<double>(columns.size());
  double lost = 0;  // 1 − i/(i + b) summed over goods: exactly 0 for the ideal order
  for (std::size_t g = 0; g < columns.size(); ++g)
    lost += columns[g] / (static_cast<double>(g + 1) + columns[g]);
  return lost / goods;
}

class AveragePrecision final : public PartialOrderOracle {
 public:
  std::string name() const override { return "average-precision"; }

  double most_violated(const OracleQuery& query, std::span<const double> scores,
                       std::span<double> c) const override {
    const PartialOrder order(query, scores);
    const std::size_t goods = order.goods(), bads = order.bads();
    std::vector<double> harmonic(goods + bads + 1);
    for (std::size_t m = 1; m < harmonic.size(); ++m)
      harmonic[m] = harmonic[m - 1] + 1.0 / static_cast<double>(m);
    // h_j(k) with both counted from 0: j + 1 bads and goods first … n⁺ − 1.
    const auto value = [&](std::size_t j, std::size_t first) {
      const auto above = static_cast<double>(j);
      const double now = harmonic[goods + j + 1] - harmonic[first + j + 1];
      const double before = harmonic[goods + j] - harmonic[first + j];
      return ((above + 1) * now - above * before) / static_cast<double>(goods) +
             order.gain_of_bad(j, first);
    };
    std::vector<std::uint32_t> first(bads);
    monotone_argmax(0, bads, 0, goods, first, value);
    const auto columns = columns_from_bads(first, goods);
    order.coefficients(columns, c);
    return precision_loss(columns);
  }
};

}  // namespace

const Entry<RankingOracle> kAveragePrecisionOracle = {
    "average-precision", "1 − average precision, O(n log n)", "Yue07", no_options,
    [](const Settings&) -> std::unique_ptr<const RankingOracle> {
      return std::make_unique<AveragePrecision>();
    }};

}  // namespace podium

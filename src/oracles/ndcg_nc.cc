// nDCG without cut-off ("NC"), binary gains, φ_po. Bad j (from 0) above goods k … n⁺ − 1 pushes
// each of them down one rank, so the discounts telescope:
//
//   h_j(k) = [ D(k + j) − D(n⁺ + j) ] / DCG* − 2 Σ_{i≥k} (s_i − s_j) / (n⁺n⁻)
//
// With a convex discount the bads are decided independently and the best k does not decrease with
// j, as for average precision: O(n log n). `letor` is not convex only between ranks 0 and 1, which
// affects only good 0: the better of (A) bad 0 above all goods and the others independent, and (B)
// no bad above good 0, is exact.
#include <cmath>

#include "core/math_functions.h"
#include "measures/choices.h"
#include "oracles/catalog.h"
#include "oracles/ndcg.h"
#include "oracles/options.h"

namespace podium {

const OptionTable<NdcgNcOracleOptions>& ndcg_nc_oracle_table() {
  static const auto options = OptionTable<NdcgNcOracleOptions>().add(
      "discount", &NdcgNcOracleOptions::discount, "rank discount", discount_choices());
  return options;
}

namespace {

class NdcgNc final : public PartialOrderOracle {
 public:
  explicit NdcgNc(RankDiscount discount) : discount_(discount) {}
  std::string name() const override {
    return discount_ == RankDiscount::letor ? "ndcg-nc(discount=letor)" : "ndcg-nc";
  }
  double most_violated(const OracleQuery& query, std::span<const double> scores,
                       std::span<double> c) const override {
    return unclipped_ndcg(PartialOrder(query, scores), discount_, c);
  }

 private:
  RankDiscount discount_;
};

}  // namespace

double unclipped_ndcg(const PartialOrder& order, RankDiscount discount, std::span<double> c) {
  const std::size_t goods = order.goods(), bads = order.bads();
  const auto d = discounts(discount, goods + bads);
  double ideal = 0;
  for (std::size_t r = 0; r < goods; ++r) ideal += d[r];
  const auto value = [&](std::size_t j, std::size_t first) {
    if (first == goods) return 0.0;
    return (d[first + j] - d[goods + j]) / ideal + order.gain_of_bad(j, first);
  };
  // From bad `begin` on, with no bad above goods before `low`.
  const auto choose = [&](std::size_t begin, std::size_t low, std::vector<std::uint32_t>& first) {
    monotone_argmax(begin, bads, low, goods, std::span(first), value);
    double total = 0;
    for (std::size_t j = begin; j < bads; ++j) total += value(j, first[j]);
    return total;
  };
  std::vector<std::uint32_t> first(bads);
  if (discount == RankDiscount::log2) {
    choose(0, 0, first);
  } else {
    std::vector<std::uint32_t> pinned(bads);
    const double with_bad_on_top = value(0, 0) + choose(1, 0, pinned);
    if (choose(0, 1, first) < with_bad_on_top) first = std::move(pinned);
  }
  const auto columns = columns_from_bads(first, goods);
  order.coefficients(columns, c);
  double gained = 0;
  for (std::size_t g = 0; g < goods; ++g) gained += d[g + columns[g]];
  return 1 - gained / ideal;
}

std::vector<double> discounts(RankDiscount discount, std::size_t count) {
  std::vector<double> d(count);
  for (std::size_t r = 0; r < count; ++r) {
    const auto rank = static_cast<double>(r);
    d[r] = discount == RankDiscount::log2 ? 1 / math::log2(rank + 2)
           : r < 2                        ? 1.0
                                          : 1 / math::log2(rank + 1);
  }
  return d;
}

const Entry<RankingOracle> kNdcgNcOracle = {
    "ndcg-nc", "1 − nDCG without cut-off, binary gains, O(n log n)", "Chakrabarti08",
    []() -> const std::vector<Field>& { return ndcg_nc_oracle_table().fields(); },
    [](const Settings& settings) -> std::unique_ptr<const RankingOracle> {
      return std::make_unique<NdcgNc>(ndcg_nc_oracle_table().read(settings).discount);
    }};

}  // namespace podium

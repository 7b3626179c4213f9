// nDCG clipped at k with binary gains and φ_po: Δ = 1 − Σ_g D(rank of g) / DCG*, D = 0 from rank k
// on.
//
// A dynamic programme over goods g (rows, in score order) and b = bads above g (columns):
//
//   S[g, b] = f_g(b) + max_{p ≤ b} S[g − 1, p],   f_g(b) = gain(g, b) − D(g + b) / DCG*
//
// Columns b ≥ k fold into one, in which row g has the column max(k, p_g), p_g its natural column.
// Rows from k on lose nothing: if row k − 1 has column c, they have max(c, p_g), and their sums for
// all c come from prefix sums. O(n log n + k²), for any discount. Differs from [Chakrabarti08] Fact
// 3.4, whose greedy choice row by row is not exact: see the test.
#include "oracles/ndcg.h"

#include <algorithm>

#include <fmt/format.h>

#include "measures/choices.h"
#include "oracles/catalog.h"
#include "oracles/discount.h"
#include "oracles/options.h"
#include "oracles/partial_order.h"
#include "podium/error.h"

namespace podium {

const OptionTable<NdcgOracleOptions>& ndcg_oracle_table() {
  using Options = NdcgOracleOptions;
  static const auto options =
      OptionTable<Options>()
          .add("k", &Options::k, "only the first k ranks count; 0: all", at_least(0))
          .add("discount", &Options::discount, "rank discount", discount_choices());
  return options;
}

namespace {

// The programme for one query, k < n.
class ClippedProgramme {
 public:
  ClippedProgramme(const PartialOrder& order, std::size_t k, std::span<const double> discount)
      : order_(order),
        k_(k),
        rows_(std::min(order.goods(), k)),
        folded_(order.bads() >= k),
        columns_(folded_ ? k + 1 : order.bads() + 1),
        discount_(discount),
        natural_(order.natural_columns()) {
    for (std::size_t r = 0; r < rows_; ++r) ideal_ += discount_[r];
  }

  std::vector<std::uint32_t> solve(StopCheck stop) {
    std::vector<double> best(columns_);  // S of the last row, then its running maximum over p ≤ b
    for (std::size_t g = 0; g < rows_; ++g) {
      stop();
      from_.resize((g + 1) * columns_);
      std::size_t argmax = 0;
      double top = best[0];
      for (std::size_t b = 0; b < columns_; ++b) {
        if (best[b] > top) {
          top = best[b];
          argmax = b;
        }
        from_[g * columns_ + b] = static_cast<std::uint32_t>(argmax);
        best[b] = (g ? top : 0.0) + cell(g, b);
      }
    }
    if (rows_ < order_.goods()) add_tails(best);
    return walk_back(
        static_cast<std::size_t>(std::max_element(best.begin(), best.end()) - best.begin()));
  }

  double loss(std::span<const std::uint32_t> columns) const {
    double gained = 0;
    for (std::size_t g = 0; g < rows_; ++g)
      if (g + columns[g] < k_) gained += discount_[g + columns[g]];
    return 1 - gained / ideal_;
  }

 private:
  bool is_fold(std::size_t b) const { return folded_ && b == k_; }
  // The real column of row g if the programme has it in column b.
  std::uint32_t place(std::size_t g, std::size_t b) const {
    return is_fold(b) ? std::max(static_cast<std::uint32_t>(k_), natural_[g])
                      : static_cast<std::uint32_t>(b);
  }
  double cell(std::size_t g, std::size_t b) const {
    const double lost = g + b < k_ ? discount_[g + b] / ideal_ : 0.0;
    return order_.gain(g, place(g, b)) - lost;
  }

  // Rows k … n⁺ − 1 at max(c, p_g), for every column c of row k − 1.
  void add_tails(std::vector<double>& best) const {
    const std::size_t goods = order_.goods();
    std::vector<double> natural_gain(goods + 1);  // Σ gain(g, p_g) over goods g … n⁺ − 1
    for (std::size_t g = goods; g-- > rows_;)
      natural_gain[g] = natural_gain[g + 1] + order_.gain(g, natural_[g]);
    std::size_t split = rows_;  // first row with p_g > c
    for (std::size_t c = 0; c < columns_; ++c) {
      while (split < goods && natural_[split] <= c) ++split;
      best[c] += order_.gain(rows_, split, c) + natural_gain[split];
    }
  }

  std::vector<std::uint32_t> walk_back(std::size_t b) const {
    std::vector<std::uint32_t> columns(order_.goods());
    const std::uint32_t last = place(rows_ - 1, b);
    for (std::size_t g = rows_; g < order_.goods(); ++g) columns[g] = std::max(last, natural_[g]);
    for (std::size_t g = rows_; g-- > 0;) {
      columns[g] = place(g, b);
      b = from_[g * columns_ + b];
    }
    return columns;
  }

  const PartialOrder& order_;
  std::size_t k_, rows_;
  bool folded_;
  std::size_t columns_;
  std::span<const double> discount_;
  std::vector<std::uint32_t> natural_;
  double ideal_ = 0;
  std::vector<std::uint32_t> from_;  // [g, b]: the column of row g − 1 that S[g, b] is based on
};

class Ndcg final : public PartialOrderOracle {
 public:
  explicit Ndcg(const NdcgOracleOptions& options)
      : k_(static_cast<std::size_t>(options.k)), discount_(options.discount) {}

  std::string name() const override {
    return fmt::format("ndcg{}@{}", discount_ == RankDiscount::letor ? "(discount=letor)" : "", k_);
  }

  double most_violated(const OracleQuery& query, std::span<const double> scores,
                       std::span<double> c) const override {
    const PartialOrder order(query, scores);
    if (k_ == 0 || k_ >= order.goods() + order.bads()) return unclipped_ndcg(order, discount_, c);
    const auto discount = discounts(discount_, k_);
    ClippedProgramme programme(order, k_, discount);
    const auto columns = programme.solve(query.stop);
    order.coefficients(columns, c);
    return programme.loss(columns);
  }

 private:
  std::size_t k_;
  RankDiscount discount_;
};

}  // namespace

const Entry<RankingOracle> kNdcgOracle = {
    "ndcg", "1 − nDCG@k, binary gains, O(n log n + k²)", "Chakrabarti08",
    []() -> const std::vector<Field>& { return ndcg_oracle_table().fields(); },
    [](const Settings& settings) -> std::unique_ptr<const RankingOracle> {
      return std::make_unique<Ndcg>(ndcg_oracle_table().read(settings));
    }};

}  // namespace podium

// IntervalRank [Moon10]: every grade g of a query gets an interval [l_g, u_g] on the score axis,
//
//   L = min_{l ≤ u}  ½ Σ_i w_i ((l_{g(i)} − s_i)₊² + (s_i − u_{g(i)})₊²)
//                    + ½ λ₂ Σ_g (u_g − l_g)² + ½ λ₁ Σ_g (Δ_g − (l_g − u_{g−1}))₊²
//
// over the grades present, where Δ_g is the difference between a grade's target and that of the
// next lower grade present. This is the paper's Theorem 5, that is, problem (6) with adjacent
// grades only; its Lemma 3, according to which both are equal, does not hold. λ₁ = ∞ with λ₂ = 0 is
// isotonic regression with margins, the paper's (5): row `isotonic`.
//
// barrier=μ > 0 is the paper's Algorithm 2 stopped at μ: logarithms of the slacks, divided by μ,
// are added to the objective and kept (solvers/interval_barrier.h), and L is the minimum of that
// sum. The paper stops at μ = 64 and expects larger gaps between the grades. 0, the default, is the
// limit μ → ∞.
//
// The gradient is w_i (s_i − clamp(s_i, l, u)), also with a barrier, whose terms contain no score.
// L is a Moreau envelope (½‖s − z‖² plus a convex function of z, minimised over z), so its Hessian
// is between 0 and diag(w): the w_i are used as second derivatives, also inside the intervals, so
// that a Newton step on a leaf is the paper's plain gradient step and never overshoots. Documents
// with weight 0 are left out; the value is multiplied by the query's weight.
//
// The scale of the weights λ is the number of documents. The paper tunes them on validation data
// and gives no values; the defaults were the best on the validation parts of OHSUMED and MQ2008.
//
// O(n log n) for the sort, then a few steps of O(grades · log n): solvers/interval_chain.h.
#include "losses/listwise/interval.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "losses/catalog.h"
#include "losses/grade_blocks.h"
#include "losses/targets.h"
#include "losses/typed_loss.h"
#include "podium/error.h"
#include "solvers/interval_barrier.h"
#include "solvers/interval_chain.h"

namespace podium {
namespace {

const OptionTable<IntervalOptions>& interval_table() {
  static const auto options =
      OptionTable<IntervalOptions>()
          .add("lambda1", &IntervalOptions::lambda1,
               "weight of the margins between grades; inf makes them constraints", at_least(0))
          .add("lambda2", &IntervalOptions::lambda2, "weight of the intervals' widths", at_least(0))
          .add("targets", &IntervalOptions::targets, kTargetsHelp)
          .add("barrier", &IntervalOptions::barrier,
               "0: exact; 1e-6 to 1e9: a logarithmic barrier of weight 1/barrier stays in the loss",
               at_least(0));
  return options;
}

const OptionTable<IsotonicOptions>& isotonic_table() {
  static const auto options =
      OptionTable<IsotonicOptions>().add("targets", &IsotonicOptions::targets, kTargetsHelp);
  return options;
}

class BoundInterval final : public BoundLoss {
 public:
  BoundInterval(const Dataset& data, ChainPenalties penalties, double barrier, Targets targets)
      : data_(data),
        penalties_(penalties),
        barrier_(barrier),
        targets_(std::move(targets)),
        blocks_(data, GradeBlocks::Order::worst_first) {}

  bool informative(std::size_t q) const override {
    return blocks_.ends(q).size() > 1 || (penalties_.width > 0 && blocks_.documents(q).size() > 1);
  }

  double evaluate(std::size_t q, std::span<const double> scores, Derivatives out) const override {
    std::fill(out.first.begin(), out.first.end(), 0.0);
    std::fill(out.second.begin(), out.second.end(), 0.0);
    const auto weights = data_.document_weights(q);
    const auto order = blocks_.documents(q);
    const auto ends = blocks_.ends(q);
    const std::vector<ChainGroup> groups = collect(q, scores);
    if (groups.empty()) return 0;
    const ChainFit fit = barrier_ > 0 ? fit_interval_barrier(groups, penalties_, barrier_)
                                      : fit_interval_chain(groups, penalties_);
    const double query_weight = data_.query_weight(q);
    for (std::size_t b = 0, at = 0, g = 0; b < ends.size(); ++b) {
      bool present = false;
      for (; at < ends[b]; ++at) {
        const std::uint32_t i = order[at];
        const double w = weights.empty() ? 1.0 : weights[i];
        if (!(w > 0)) continue;
        present = true;
        out.first[i] =
            query_weight * w * (scores[i] - std::clamp(scores[i], fit.low[g], fit.high[g]));
        if (!out.second.empty()) out.second[i] = query_weight * w;
      }
      g += present;
    }
    return query_weight * fit.value;
  }

 private:
  // The grades that have a document with positive weight, with ascending scores.
  std::vector<ChainGroup> collect(std::size_t q, std::span<const double> scores) const {
    const auto weights = data_.document_weights(q);
    const auto labels = data_.labels(q);
    const auto order = blocks_.documents(q);
    std::vector<ChainGroup> groups;
    double below = 0;  // the target of the group before
    std::size_t at = 0;
    for (const std::uint32_t end : blocks_.ends(q)) {
      ChainGroup group;
      const double target = targets_(labels[order[at]]);
      for (; at < end; ++at) {
        const double w = weights.empty() ? 1.0 : weights[order[at]];
        if (w > 0) group.points.emplace_back(scores[order[at]], w);
      }
      if (group.points.empty()) continue;
      std::sort(group.points.begin(), group.points.end());
      group.margin = target - below;
      below = target;
      groups.push_back(std::move(group));
    }
    return groups;
  }

  const Dataset& data_;
  ChainPenalties penalties_;
  double barrier_;  // μ; 0 for none
  Targets targets_;
  GradeBlocks blocks_;
};

class Interval final : public Loss {
 public:
  Interval(std::string name, ChainPenalties penalties, double barrier, const std::string& targets)
      : name_(std::move(name)), penalties_(penalties), barrier_(barrier), targets_(targets) {}
  std::string name() const override { return name_; }
  LossTraits traits() const noexcept override {
    return {LossTraits::Shape::convex, LossTraits::Weights::smooth, LossTraits::Shift::invariant};
  }
  LabelUse label_use() const override { return targets_.label_use(); }
  std::unique_ptr<const BoundLoss> bind(const Dataset& data, Communicator&) const override {
    return std::make_unique<BoundInterval>(data, penalties_, barrier_, targets_);
  }

 private:
  std::string name_;
  ChainPenalties penalties_;
  double barrier_;
  Targets targets_;
};

// A barrier needs an interior, and a price on every slack: a slack without a price would grow
// forever.
void check_barrier(const IntervalOptions& options) {
  if (!(options.barrier > 0)) return;
  if (options.barrier < 1e-6 || options.barrier > 1e9)
    throw Error(ErrorCode::usage, "barrier: 0 for the exact solution, or from 1e-6 to 1e9");
  if (!(options.lambda1 > 0) || !(options.lambda2 > 0) || std::isinf(options.lambda2))
    throw Error(ErrorCode::usage,
                "a barrier needs lambda1 and lambda2 above 0, and a finite lambda2");
}

}  // namespace

std::unique_ptr<const Loss> interval_loss(const IntervalOptions& options) {
  check_barrier(options);
  return std::make_unique<Interval>(loss_name("interval", interval_table(), options),
                                    ChainPenalties{options.lambda1, options.lambda2},
                                    options.barrier, options.targets);
}

std::unique_ptr<const Loss> isotonic_loss(const IsotonicOptions& options) {
  return std::make_unique<Interval>(loss_name("isotonic", isotonic_table(), options),
                                    ChainPenalties{std::numeric_limits<double>::infinity(), 0}, 0,
                                    options.targets);
}

const Entry<Loss> kInterval = {
    "interval", "distance to the best intervals of scores, one per grade (IntervalRank)", "Moon10",
    []() -> const std::vector<Field>& { return interval_table().fields(); },
    [](const Settings& settings) { return interval_loss(interval_table().read(settings)); }};
const Entry<Loss> kIsotonic = {
    "isotonic", "distance to the nearest scores that keep the grades' margins", "Moon10",
    []() -> const std::vector<Field>& { return isotonic_table().fields(); },
    [](const Settings& settings) { return isotonic_loss(isotonic_table().read(settings)); }};

}  // namespace podium

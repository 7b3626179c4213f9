// Two softmax losses that weigh each other's clicks, with c the clicks and n the shows of document
// d at position k, both by query:
//   ranker        L_f = −Σ_d W_d log softmax(s)_d,    W_d = Σ_k c_dk e^{g_1 − g_k}
//   propensities  L_g = −Σ_dk c_dk V_d log P(k),      V_d = P̄_1 / softmax(s)_d,
//                 P(k) = n_k e^{g_k} / Σ_j n_j e^{g_j}
// where P̄_1 is the mean of softmax(s) over what was shown first. e^{g_k} is the propensity; no
// weight is above 1/clip. If s is right, V makes all documents equally likely to be clicked where
// they are examined, so that L_g is least at the propensities. After each round g makes half a step
// of g_k += log(Σ_d c_dk V_d / its expectation under P), which never raises L_g; g_1 = 0.
//
// Differs from [Ai18]: lists are queries, not sessions. The softmax of the ranker is over all
// documents of the query that were shown, P̄_1 is a mean over its sessions instead of the first
// document's probability (a factor that all clicks of the list share), and positions that a query
// shows less often are expected less often.
#include "clicks/dual_loss.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/math_functions.h"
#include "core/order_free_sums.h"
#include "core/spec.h"
#include "distributed/over_ranks.h"
#include "losses/listwise/log_sum.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr std::size_t kDualQueryChunk = 64;
constexpr double kDualStep = 0.5;      // of the step on g
constexpr double kFarthestDual = 0.5;  // of g in one step
constexpr double kFarthestLog = 6.9;   // of g: propensities from 0.001 to 1,000 times the first

class BoundDual final : public BoundLoss, public LossState {
 public:
  BoundDual(const Dataset& data, const DebiasOptions& options, const DocumentNumbers& numbers,
            const DualCells& cells)
      : data_(data), most_(1 / options.clip), g_(cells.positions, 0.0) {
    for (std::size_t q = 0; q < data.queries(); ++q)
      for (std::size_t d = data.begin(q); d < data.end(q); ++d)
        cells_.push_back(cells.of_document[numbers.of(data, q, d)]);
  }

  bool informative(std::size_t q) const override {
    if (data_.end(q) - data_.begin(q) < 2) return false;
    for (std::size_t d = data_.begin(q); d < data_.end(q); ++d)
      for (const DualCell& cell : cells_[d])
        if (cell.clicked > 0) return true;
    return false;
  }

  double evaluate(std::size_t q, std::span<const double> scores, Derivatives out) const override {
    LogSum all;
    for (const double s : scores) all.add(s);
    const double log_total = all.log();
    double value = 0, total = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double mass = data_.query_weight(q) * weight(data_.begin(q) + i);
      total += mass;
      if (mass > 0) value += mass * (log_total - scores[i]);
      out.first[i] = -mass;
    }
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double p = math::exp(scores[i] - log_total);
      out.first[i] += total * p;
      if (!out.second.empty()) out.second[i] = total * p * (1 - p);
    }
    return value;
  }

  // g is all that changes, and only in advance().
  LossState* state() const override { return const_cast<BoundDual*>(this); }
  std::vector<double> values() const override { return g_; }
  void restore(std::span<const double> values) override {
    if (values.size() == g_.size()) g_.assign(values.begin(), values.end());
  }
  void advance(std::span<const double> scores, ThreadPool& pool, Communicator& comm) override {
    const std::size_t n = g_.size();
    const std::vector<double> sums = sum_over_ranks(sums_at(scores, pool), comm);
    for (std::size_t k = 0; k < n; ++k)
      if (sums[k] > 0 && sums[n + k] > 0)
        g_[k] +=
            std::clamp(kDualStep * math::log(sums[k] / sums[n + k]), -kFarthestDual, kFarthestDual);
    const double first = n > 0 ? g_[0] : 0;
    for (double& g : g_) g = std::clamp(g - first, -kFarthestLog, kFarthestLog);
  }

 private:
  // W of a document.
  double weight(std::size_t d) const {
    double sum = 0;
    for (const DualCell& cell : cells_[d])
      if (cell.clicked > 0)
        sum += cell.clicked * std::min(math::exp(g_[0] - g_[cell.position]), most_);
    return sum;
  }

  // By position: the weighted clicks, then their expectation.
  OrderFreeSums sums_at(std::span<const double> scores, ThreadPool& pool) const {
    const std::size_t n = g_.size();
    return parallel_reduce(
        pool, data_.queries(), kDualQueryChunk, OrderFreeSums(2 * n),
        [&](std::size_t begin, std::size_t end) {
          OrderFreeSums sums(2 * n);
          std::vector<double> clicks(n), shown(n);
          for (std::size_t q = begin; q < end; ++q) {
            if (!informative(q)) continue;
            count(q, scores, clicks, shown);
            double total = 0, all = 0;
            for (std::size_t k = 0; k < n; ++k) {
              shown[k] *= math::exp(g_[k]);
              total += clicks[k];
              all += shown[k];
            }
            for (std::size_t k = 0; k < n; ++k) {
              if (!(shown[k] > 0)) continue;
              sums.add(k, data_.query_weight(q) * clicks[k]);
              sums.add(n + k, data_.query_weight(q) * total * shown[k] / all);
            }
          }
          return sums;
        },
        [](OrderFreeSums& total, const OrderFreeSums& part) { total += part; });
  }

  // Clicks weighted by V, and shows, by position.
  void count(std::size_t q, std::span<const double> scores, std::vector<double>& clicks,
             std::vector<double>& shown) const {
    std::fill(clicks.begin(), clicks.end(), 0.0);
    std::fill(shown.begin(), shown.end(), 0.0);
    LogSum all;
    for (std::size_t d = data_.begin(q); d < data_.end(q); ++d) {
      all.add(scores[d]);
      for (const DualCell& cell : cells_[d]) shown[cell.position] += cell.shown;
    }
    const auto first = static_cast<std::uint32_t>(
        std::find_if(shown.begin(), shown.end(), [](double n) { return n > 0; }) - shown.begin());
    const double log_total = all.log();
    double ahead = 0;  // Σ of softmax over what was shown first
    for (std::size_t d = data_.begin(q); d < data_.end(q); ++d)
      for (const DualCell& cell : cells_[d])
        if (cell.position == first) ahead += cell.shown * math::exp(scores[d] - log_total);
    if (first < shown.size()) ahead /= shown[first];
    for (std::size_t d = data_.begin(q); d < data_.end(q); ++d) {
      const double own = math::exp(scores[d] - log_total);
      const double v = ahead < most_ * own ? ahead / own : most_;
      for (const DualCell& cell : cells_[d]) clicks[cell.position] += cell.clicked * v;
    }
  }

  const Dataset& data_;
  double most_;
  std::vector<std::vector<DualCell>> cells_;  // of each document
  std::vector<double> g_;
};

class DualLoss final : public Loss {
 public:
  DualLoss(std::string name, const DebiasOptions& options,
           std::shared_ptr<const DocumentNumbers> numbers, std::shared_ptr<const DualCells> cells)
      : name_(std::move(name)),
        options_(options),
        numbers_(std::move(numbers)),
        cells_(std::move(cells)) {}

  std::string name() const override { return name_; }
  LossTraits traits() const noexcept override {
    return {LossTraits::Shape::convex, LossTraits::Weights::smooth, LossTraits::Shift::invariant};
  }
  bool needs_advancing() const override { return true; }
  std::unique_ptr<const BoundLoss> bind(const Dataset& data, Communicator&) const override {
    return std::make_unique<BoundDual>(data, options_, *numbers_, *cells_);
  }

 private:
  std::string name_;
  DebiasOptions options_;
  std::shared_ptr<const DocumentNumbers> numbers_;
  std::shared_ptr<const DualCells> cells_;
};

bool is_softmax(const std::string& name) {
  if (!name.starts_with("softmax") || split_outside_parentheses(name, '+').size() > 1) return false;
  const Spec spec = parse_spec(name, "loss");
  return spec.name == "softmax" && std::all_of(spec.given.begin(), spec.given.end(), [](auto& one) {
           return one.first != "k" || one.second == "1";
         });
}

}  // namespace

DualCells count_dual_cells(const ClickLog& log, const std::vector<std::uint32_t>& number,
                           double scale) {
  DualCells result{std::vector<std::vector<DualCell>>(log.documents()), log.positions};
  for (const ClickCell& cell : log.cells)
    if (cell.shown > 0)
      result.of_document[number[cell.document]].push_back(
          {cell.position - 1, scale * cell.shown, scale * cell.clicked});
  return result;
}

SharedLoss dual_loss(const SharedLoss& loss, const DebiasOptions& options,
                     std::shared_ptr<const DocumentNumbers> numbers,
                     std::shared_ptr<const DualCells> cells) {
  if (!is_softmax(loss->name()))
    throw Error(ErrorCode::usage,
                fmt::format("‹debias dual› learns by softmax losses: boosting with ‹loss softmax› "
                            "can use it, {} cannot",
                            loss->name()));
  return std::make_unique<DualLoss>(fmt::format("dual-clicks({})", loss->name()), options,
                                    std::move(numbers), std::move(cells));
}

}  // namespace podium

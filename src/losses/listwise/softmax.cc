// Softmax cross-entropy, ListNet [Cao07]: the distance of two Plackett–Luce models, that of the
// scores from that of the grades. Top-1 (the default) is the cross entropy of a target distribution
// over documents and the softmax of the scores, O(n) (cross_entropy.h). The target is
//
//   target=labels  softmax of the grades, the paper's
//   target=gains   gain(g_i) / Σ_j gain(g_j): documents without gain get nothing
//
// The top-k form, @k with k > 1, is the cross entropy over the orders of the first k documents:
// n!/(n − k)! of them. It is estimated without bias from `draws` orders that are drawn from the
// target's model when the loss is bound, as in [Luo15] but fixed: by a hash of (seed, query key)
// and the documents' places in their query. So it is a smooth convex loss, O(draws · n) a query in
// time and in memory. Each document's term is multiplied by its weight, the whole by the query's.
#include "losses/listwise/softmax.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/math_functions.h"
#include "core/random.h"
#include "losses/catalog.h"
#include "losses/listwise/cross_entropy.h"
#include "losses/listwise/plackett_luce.h"
#include "losses/typed_loss.h"
#include "measures/gain.h"

namespace podium {
namespace {

const OptionTable<SoftmaxOptions>& softmax_table() {
  static const auto options =
      OptionTable<SoftmaxOptions>()
          .add("target", &SoftmaxOptions::target,
               "target distribution: labels (softmax of the grades) or gains (in proportion)",
               softmax_targets())
          .add("gain", &SoftmaxOptions::gain, kGainHelp)
          .add("draws", &SoftmaxOptions::draws, "top-k: random orders per query", between(1, 10000))
          .add("seed", &SoftmaxOptions::seed, "top-k: seed for the random orders", at_least(0))
          .add("k", &SoftmaxOptions::k, "compare the first k places", at_least(1));
  return options;
}

std::vector<double> target_distribution(const Dataset& data, const SoftmaxOptions& options) {
  const Gain gain(options.gain);
  std::vector<double> target;
  target.reserve(data.documents());
  for (std::size_t q = 0; q < data.queries(); ++q) {
    const auto labels = data.labels(q);
    if (labels.empty()) continue;
    const float top = *std::max_element(labels.begin(), labels.end());
    const QueryGain gain_of(gain, std::span(&top, 1));
    double total = 0;
    for (const float y : labels) {
      target.push_back(options.target == SoftmaxTarget::labels ? math::exp(double{y} - top)
                                                               : gain_of(y));
      total += target.back();
    }
    if (total > 0)
      for (std::size_t i = data.begin(q); i < data.end(q); ++i) target[i] /= total;
  }
  return target;
}

class BoundTopK final : public BoundLoss {
 public:
  BoundTopK(const Dataset& data, std::span<const double> target, const SoftmaxOptions& options)
      : data_(data),
        draws_(static_cast<std::size_t>(options.draws)),
        orders_(data.documents() * draws_) {
    std::size_t longest = 0;
    for (std::size_t q = 0; q < data.queries(); ++q) {
      const auto own = target.subspan(data.begin(q), data.end(q) - data.begin(q));
      const auto positive = static_cast<std::size_t>(
          std::count_if(own.begin(), own.end(), [](double p) { return p > 0; }));
      stages_.push_back(std::min(positive, static_cast<std::size_t>(options.k)));
      longest = std::max(longest, own.size());
      Random random(static_cast<std::uint64_t>(options.seed), data.query_key(q));
      for (std::size_t draw = 0; draw < draws_; ++draw) draw_order(own, random, order(q, draw));
    }
    singles_.resize(longest);
    std::iota(singles_.begin(), singles_.end(), 1U);
  }

  bool informative(std::size_t q) const override {
    return stages_[q] > 0 && data_.end(q) - data_.begin(q) > 1;
  }

  double evaluate(std::size_t q, std::span<const double> scores, Derivatives out) const override {
    std::fill(out.first.begin(), out.first.end(), 0.0);
    std::fill(out.second.begin(), out.second.end(), 0.0);
    const double scale = data_.query_weight(q) / static_cast<double>(draws_);
    const auto singles = std::span<const std::uint32_t>(singles_).first(stages_[q]);
    double value = 0;
    for (std::size_t draw = 0; draw < draws_; ++draw)
      value += add_plackett_luce({orders(q, draw), singles}, stages_[q], scores,
                                 data_.document_weights(q), scale, out);
    return value;
  }

 private:
  // The order of log P + Gumbel noise is a draw from the Plackett–Luce model with odds P.
  static void draw_order(std::span<const double> odds, Random& random,
                         std::span<std::uint32_t> order) {
    std::vector<double> key(odds.size());
    for (std::size_t i = 0; i < odds.size(); ++i)
      key[i] = math::log(odds[i]) - math::log(-math::log(random.uniform() + 0x1.0p-54));
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return key[a] > key[b]; });
  }
  std::span<std::uint32_t> order(std::size_t q, std::size_t draw) {
    const std::size_t n = data_.end(q) - data_.begin(q);
    return std::span(orders_).subspan(data_.begin(q) * draws_ + draw * n, n);
  }
  std::span<const std::uint32_t> orders(std::size_t q, std::size_t draw) const {
    const std::size_t n = data_.end(q) - data_.begin(q);
    return std::span(orders_).subspan(data_.begin(q) * draws_ + draw * n, n);
  }

  const Dataset& data_;
  std::size_t draws_;
  std::vector<std::uint32_t> orders_, singles_;
  std::vector<std::size_t> stages_;
};

class Softmax final : public Loss {
 public:
  Softmax(std::string name, SoftmaxOptions options)
      : name_(std::move(name)), options_(std::move(options)) {
    Gain{options_.gain};  // throws if it is not valid
  }
  std::string name() const override { return name_; }
  LossTraits traits() const noexcept override {
    return {LossTraits::Shape::convex, LossTraits::Weights::smooth, LossTraits::Shift::invariant};
  }
  LabelUse label_use() const override {
    if (options_.target == SoftmaxTarget::gains) return Gain(options_.gain).label_use();
    return {.growth = LabelUse::Growth::e};
  }
  std::unique_ptr<const BoundLoss> bind(const Dataset& data, Communicator&) const override {
    std::vector<double> target = target_distribution(data, options_);
    if (options_.k > 1) return std::make_unique<BoundTopK>(data, target, options_);
    return bind_cross_entropy(data, std::move(target));
  }

 private:
  std::string name_;
  SoftmaxOptions options_;
};

}  // namespace

std::unique_ptr<const Loss> softmax_loss(const SoftmaxOptions& options) {
  return make_typed<Softmax>("softmax", softmax_table(), options);
}

const Entry<Loss> kSoftmax = {
    "softmax", "cross entropy of the softmax of grades and of scores (ListNet)", "Cao07",
    []() -> const std::vector<Field>& { return softmax_table().fields(); },
    [](const Settings& settings) { return softmax_loss(softmax_table().read(settings)); }};

}  // namespace podium

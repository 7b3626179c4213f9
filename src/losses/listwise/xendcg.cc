// XE-NDCG [Bruch21]: softmax cross-entropy (cross_entropy.h) with the target
//
//   ρ_i = (2^{g_i} − γ_i) / Σ_j (2^{g_j} − γ_j),   γ_j uniform on [0, 1],
//
// a bound on nDCG. The paper draws γ again at every evaluation. The loss is linear in ρ, so its
// mean over the draws is the loss with the target E[ρ]: gamma=expected, the default, which differs
// from the paper only by the absence of noise. With m = 2^g − 1, M = Σ m and n documents, 1/x = ∫
// exp(−tx) dt gives
//
//   E[ρ_i] = m_i A + (1 − M A)/n,   A = ∫_0^∞ exp(−tM) ((1 − exp(−t))/t)^n dt:
//
// one integral per query, by the trapezium rule after t = exp(u − exp(−u)) / rate. gamma=drawn
// draws the γ once, when the loss is bound, by a hash of (seed, query key) and the documents'
// places.
#include <algorithm>
#include <cmath>

#include "core/math_functions.h"
#include "core/random.h"
#include "core/spec.h"
#include "losses/catalog.h"
#include "losses/listwise/cross_entropy.h"
#include "measures/gain.h"

namespace podium {
namespace {

enum class Gamma { expected, drawn };

struct XendcgOptions {
  Gamma gamma = Gamma::expected;
  std::int64_t seed = 1;
};

const OptionTable<XendcgOptions>& xendcg_table() {
  static const auto options =
      OptionTable<XendcgOptions>()
          .add("gamma", &XendcgOptions::gamma,
               "the random part of the target: expected (its mean) or drawn once by the seed",
               {{"expected", Gamma::expected}, {"drawn", Gamma::drawn}})
          .add("seed", &XendcgOptions::seed, "for gamma=drawn", at_least(0));
  return options;
}

// The integral A above, for M > 0.
double laplace_integral(double total, double documents) {
  constexpr double kStep = 1.0 / 32, kFrom = -4;
  const double rate = total + documents / 2;  // of the integrand's decay at 0
  double sum = 0;
  for (int i = 0;; ++i) {
    const double u = kFrom + i * kStep;
    const double x = math::exp(u - math::exp(-u)), t = x / rate;
    const double log_part = documents * math::log(-math::expm1(-t) / t) - t * total;
    const double term = math::exp(log_part) * x * (1 + math::exp(-u));
    sum += term;
    if (u > 0 && term < 1e-18 * sum) break;
  }
  return sum * kStep / rate;
}

std::vector<double> expected_target(std::span<const double> gains) {
  const auto n = static_cast<double>(gains.size());
  double total = 0;
  for (const double m : gains) total += m;
  const double slope = total > 0 ? laplace_integral(total, n) : 0;
  const double base = std::max(0.0, (1 - total * slope) / n);
  std::vector<double> target;
  for (const double m : gains) target.push_back(m * slope + base);
  return target;
}

std::vector<double> drawn_target(std::span<const double> gains, Random random) {
  std::vector<double> target;
  double total = 0;
  for (const double m : gains) {
    target.push_back(m + 1 - random.uniform());
    total += target.back();
  }
  for (double& p : target) p /= total;
  return target;
}

class Xendcg final : public Loss {
 public:
  Xendcg(std::string name, XendcgOptions options) : name_(std::move(name)), options_(options) {}
  std::string name() const override { return name_; }
  LossTraits traits() const noexcept override {
    return {LossTraits::Shape::convex, LossTraits::Weights::smooth, LossTraits::Shift::invariant};
  }
  LabelUse label_use() const override { return Gain("exp2").label_use(); }
  std::unique_ptr<const BoundLoss> bind(const Dataset& data, Communicator&) const override {
    const Gain gain("exp2");
    const auto seed = static_cast<std::uint64_t>(options_.seed);
    std::vector<double> target, gains;
    target.reserve(data.documents());
    for (std::size_t q = 0; q < data.queries(); ++q) {
      gains.clear();
      for (const float y : data.labels(q)) gains.push_back(gain(y));
      const auto own = options_.gamma == Gamma::drawn
                           ? drawn_target(gains, Random(seed, data.query_key(q)))
                           : expected_target(gains);
      target.insert(target.end(), own.begin(), own.end());
    }
    return bind_cross_entropy(data, std::move(target));
  }

 private:
  std::string name_;
  XendcgOptions options_;
};

}  // namespace

const Entry<Loss> kXendcg = {
    "xendcg", "softmax cross-entropy that bounds nDCG (XE-NDCG)", "Bruch21",
    []() -> const std::vector<Field>& { return xendcg_table().fields(); },
    [](const Settings& settings) -> std::unique_ptr<const Loss> {
      return std::make_unique<Xendcg>(format_spec("xendcg", xendcg_table().fields(), settings),
                                      xendcg_table().read(settings));
    }};

}  // namespace podium

// The regulariser of the note on λ-functions [Burges05]: λ_i − α s_i, which is −∂/∂s_i of
//   α · ½ v_q Σ_i w_i s_i²,
// with document weights w and query weight v (1 by default). It adds α to the diagonal of the
// cost's Hessian. Written as a term of a sum: lambda-ndcg+0.1*score-ridge.
//
// The note prints λ_i + α s_i; with λ = −∂C/∂s that would push scores away from 0 and subtract α
// from the diagonal.
#include "losses/catalog.h"

namespace podium {
namespace {

constexpr std::string_view kName = "score-ridge";

class BoundScoreRidge final : public BoundLoss {
 public:
  explicit BoundScoreRidge(const Dataset& data) : data_(data) {}

  double evaluate(std::size_t q, std::span<const double> scores, Derivatives out) const override {
    const auto weights = data_.document_weights(q);
    double value = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double w = data_.query_weight(q) * (weights.empty() ? 1.0 : weights[i]);
      value += 0.5 * w * scores[i] * scores[i];
      out.first[i] = w * scores[i];
      if (!out.second.empty()) out.second[i] = w;
    }
    return value;
  }

 private:
  const Dataset& data_;
};

class ScoreRidge final : public Loss {
 public:
  std::string name() const override { return std::string(kName); }
  LossTraits traits() const noexcept override {
    return {LossTraits::Shape::quadratic, LossTraits::Weights::smooth,
            LossTraits::Shift::sensitive};
  }
  std::unique_ptr<const BoundLoss> bind(const Dataset& data, Communicator&) const override {
    return std::make_unique<BoundScoreRidge>(data);
  }
};

}  // namespace

const Entry<Loss> kScoreRidge = {
    kName, "half the sum of squared scores: a regulariser to add to another loss", "Burges05",
    no_options,
    [](const Settings&) -> std::unique_ptr<const Loss> { return std::make_unique<ScoreRidge>(); }};

}  // namespace podium

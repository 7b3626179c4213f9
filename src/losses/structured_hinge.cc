// Any oracle as a loss: L(s) = max_y [ Δ(y) − <c(y), s> ], an upper bound on the Δ of the ranking
// that s gives, convex, with subgradient −c(ŷ). A query without good or without bad documents says
// nothing.
#include <algorithm>
#include <cmath>

#include "core/spec.h"
#include "losses/catalog.h"
#include "losses/good_bad.h"
#include "oracles/catalog.h"

namespace podium {
namespace {

class BoundStructuredHinge final : public BoundLoss {
 public:
  BoundStructuredHinge(const Dataset& data, std::shared_ptr<const RankingOracle> oracle,
                       double relevant_from)
      : data_(data), oracle_(std::move(oracle)), split_(data, relevant_from) {}

  // Good and bad documents, or two grades where the oracle tells grades apart.
  bool informative(std::size_t q) const override {
    if (oracle_->labels() == RankingOracle::Labels::binary) return split_.informative(q);
    const auto labels = data_.labels(q);
    return std::any_of(labels.begin(), labels.end(), [&](float y) { return y != labels[0]; });
  }

  double evaluate(std::size_t q, std::span<const double> scores, Derivatives out) const override {
    std::fill(out.first.begin(), out.first.end(), 0.0);
    std::fill(out.second.begin(), out.second.end(), 0.0);
    if (!informative(q)) return 0;
    const double weight = data_.query_weight(q);
    const OracleQuery query{data_.labels(q), split_.good(q), split_.bad(q)};
    double value = oracle_->most_violated(query, scores, out.first);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      value -= out.first[i] * scores[i];
      out.first[i] *= -weight;
      if (!out.second.empty()) out.second[i] = std::abs(out.first[i]);
    }
    return weight * value;
  }

 private:
  const Dataset& data_;
  std::shared_ptr<const RankingOracle> oracle_;
  GoodBad split_;
};

class StructuredHinge final : public Loss {
 public:
  StructuredHinge(std::string name, std::unique_ptr<const RankingOracle> oracle,
                  double relevant_from)
      : name_(std::move(name)), oracle_(std::move(oracle)), relevant_from_(relevant_from) {}

  std::string name() const override { return name_; }
  LossTraits traits() const noexcept override {
    return {LossTraits::Shape::convex, LossTraits::Weights::smooth, LossTraits::Shift::invariant};
  }
  std::unique_ptr<const BoundLoss> bind(const Dataset& data, Communicator&) const override {
    return std::make_unique<BoundStructuredHinge>(data, oracle_, relevant_from_);
  }

 private:
  std::string name_;
  std::shared_ptr<const RankingOracle> oracle_;
  double relevant_from_;
};

// The options of the loss: the oracle's, and from which grade on a document is good.
template <const Entry<RankingOracle>& oracle>
const std::vector<Field>& structured_options() {
  static const std::vector<Field> fields = [] {
    std::vector<Field> list = oracle.options();
    list.push_back(relevant_from_field());
    return list;
  }();
  return fields;
}

template <const Entry<RankingOracle>& oracle, const Entry<Loss>& self>
std::unique_ptr<const Loss> make_structured(const Settings& settings) {
  Assignments given;
  for (const Field& field : oracle.options())
    given.emplace_back(field.name, to_text(settings[field.name]));
  return std::make_unique<StructuredHinge>(format_spec(self.name, self.options(), settings),
                                           oracle.make(Settings(oracle.options(), given)),
                                           std::get<double>(settings["relevant-from"]));
}

}  // namespace

const Entry<Loss> kStructuredAuc = {"structured-auc", "hinge bound on 1 − AUC", "Chakrabarti08",
                                    structured_options<kAucOracle>,
                                    make_structured<kAucOracle, kStructuredAuc>};
const Entry<Loss> kStructuredMap = {"structured-map", "hinge bound on 1 − average precision",
                                    "Yue07", structured_options<kAveragePrecisionOracle>,
                                    make_structured<kAveragePrecisionOracle, kStructuredMap>};
const Entry<Loss> kStructuredNdcg = {"structured-ndcg", "hinge bound on 1 − nDCG@k",
                                     "Chakrabarti08", structured_options<kNdcgOracle>,
                                     make_structured<kNdcgOracle, kStructuredNdcg>};
const Entry<Loss> kStructuredNdcgNc = {
    "structured-ndcg-nc", "hinge bound on 1 − nDCG of the whole list", "Chakrabarti08",
    structured_options<kNdcgNcOracle>, make_structured<kNdcgNcOracle, kStructuredNdcgNc>};
const Entry<Loss> kStructuredMrr = {"structured-mrr",
                                    "hinge bound on 1 − reciprocal rank, cut off at k",
                                    "Chakrabarti08", structured_options<kReciprocalRankOracle>,
                                    make_structured<kReciprocalRankOracle, kStructuredMrr>};
const Entry<Loss> kDormLoss = {"dorm", "hinge bound on 1 − nDCG@k with a decay over ranks",
                               "Chakrabarti08", structured_options<kDormOracle>,
                               make_structured<kDormOracle, kDormLoss>};

}  // namespace podium

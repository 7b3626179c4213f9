// A loss from any oracle: an upper bound on the Δ of the ranking by score, convex (hinge) or
// tighter (ramp); see structured_bounds.h. A query without good or without bad documents
// contributes nothing.
#include "losses/structured/structured_hinge.h"

#include "core/spec.h"
#include "losses/catalog.h"
#include "losses/structured/structured_bounds.h"
#include "oracles/catalog.h"

namespace podium {
namespace {

class StructuredLoss final : public Loss {
 public:
  StructuredLoss(std::string name, std::shared_ptr<const RankingOracle> oracle,
                 double relevant_from, LossTraits::Shape shape)
      : name_(std::move(name)),
        oracle_(std::move(oracle)),
        relevant_from_(relevant_from),
        shape_(shape) {}

  std::string name() const override { return name_; }
  LossTraits traits() const noexcept override {
    return {shape_, LossTraits::Weights::smooth, LossTraits::Shift::invariant};
  }
  LabelUse label_use() const override {
    LabelUse use = oracle_->label_use();
    use.relevant_from = relevant_from_;
    return use;
  }
  std::unique_ptr<const BoundLoss> bind(const Dataset& data, Communicator&) const override {
    auto queries = std::make_shared<const StructuredQueries>(data, oracle_, relevant_from_);
    return shape_ == LossTraits::Shape::convex ? bind_structured_hinge(std::move(queries))
                                               : bind_structured_ramp(std::move(queries));
  }

 private:
  std::string name_;
  std::shared_ptr<const RankingOracle> oracle_;
  double relevant_from_;
  LossTraits::Shape shape_;
};

const OptionTable<StructuredOptions>& structured_table() {
  static const auto options =
      OptionTable<StructuredOptions>()
          .add("relevant-from", &StructuredOptions::relevant_from, kRelevantFromHelp)
          .add("bound", &StructuredOptions::bound,
               "hinge: convex; ramp: tighter but not convex, ignores what no model ranks well",
               delta_bounds());
  return options;
}

// The options of the loss: the oracle's, the minimum grade of good documents, and the bound.
template <const Entry<RankingOracle>& oracle>
const std::vector<Field>& structured_options() {
  static const std::vector<Field> fields = [] {
    std::vector<Field> list = oracle.options();
    const auto& more = structured_table().fields();
    list.insert(list.end(), more.begin(), more.end());
    return list;
  }();
  return fields;
}

template <const Entry<RankingOracle>& oracle, const Entry<Loss>& self>
std::unique_ptr<const Loss> make_structured(const Settings& settings) {
  std::vector<std::pair<std::string, Value>> its;
  for (const Field& field : oracle.options()) its.emplace_back(field.name, settings[field.name]);
  const StructuredOptions options = structured_table().read(settings);
  return std::make_unique<StructuredLoss>(
      format_spec(self.name, self.options(), settings), oracle.make(Settings::of(std::move(its))),
      options.relevant_from,
      options.bound == DeltaBound::ramp ? LossTraits::Shape::not_convex
                                        : LossTraits::Shape::convex);
}

}  // namespace

SharedLoss structured_loss(const Entry<Loss>& row, const Settings& oracle,
                           const StructuredOptions& options) {
  std::vector<std::pair<std::string, Value>> values(oracle.values().begin(), oracle.values().end());
  const Settings more = structured_table().settings(options);
  values.insert(values.end(), more.values().begin(), more.values().end());
  return row.make(Settings::of(row.options(), values));
}

const Entry<Loss> kStructuredAuc = {"structured-auc", "bound on 1 − AUC", "Chakrabarti08",
                                    structured_options<kAucOracle>,
                                    make_structured<kAucOracle, kStructuredAuc>};
const Entry<Loss> kStructuredMap = {"structured-map", "bound on 1 − average precision", "Yue07",
                                    structured_options<kAveragePrecisionOracle>,
                                    make_structured<kAveragePrecisionOracle, kStructuredMap>};
const Entry<Loss> kStructuredNdcg = {"structured-ndcg", "bound on 1 − nDCG@k", "Chakrabarti08",
                                     structured_options<kNdcgOracle>,
                                     make_structured<kNdcgOracle, kStructuredNdcg>};
const Entry<Loss> kStructuredNdcgNc = {"structured-ndcg-nc", "bound on 1 − nDCG of the whole list",
                                       "Chakrabarti08", structured_options<kNdcgNcOracle>,
                                       make_structured<kNdcgNcOracle, kStructuredNdcgNc>};
const Entry<Loss> kStructuredMrr = {"structured-mrr", "bound on 1 − reciprocal rank, cut off at k",
                                    "Chakrabarti08", structured_options<kReciprocalRankOracle>,
                                    make_structured<kReciprocalRankOracle, kStructuredMrr>};
const Entry<Loss> kDormLoss = {"dorm", "bound on 1 − nDCG@k with a decay over ranks",
                               "Chakrabarti08", structured_options<kDormOracle>,
                               make_structured<kDormOracle, kDormLoss>};

}  // namespace podium

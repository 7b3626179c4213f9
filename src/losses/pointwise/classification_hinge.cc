// The classification hinge: L_q = Σ_i a_i max(0, 1 − t_i s_i) with t = +1 for good and −1 for bad
// documents. With balance, good documents have the weight a = #bad / #good of the data to which the
// loss is bound, [Yue07]'s SVM_acc2.
#include "losses/pointwise/classification_hinge.h"

#include <algorithm>
#include <array>

#include "losses/catalog.h"
#include "losses/relevance_split.h"
#include "losses/typed_loss.h"

namespace podium {
namespace {

const OptionTable<ClassificationHingeOptions>& classification_hinge_table() {
  static const auto options =
      OptionTable<ClassificationHingeOptions>()
          .add("balance", &ClassificationHingeOptions::balance,
               "weight relevant documents by #non-relevant / #relevant")
          .add("relevant-from", &ClassificationHingeOptions::relevant_from, kRelevantFromHelp);
  return options;
}

class BoundHinge final : public BoundLoss {
 public:
  BoundHinge(const Dataset& data, const ClassificationHingeOptions& options, Communicator& comm)
      : data_(data), relevant_from_(options.relevant_from) {
    const auto labels = data.labels();
    std::array counts = {
        std::count_if(labels.begin(), labels.end(), [&](float y) { return y >= relevant_from_; }),
        static_cast<std::int64_t>(labels.size())};
    comm.all_reduce_sum(counts);
    const auto goods = static_cast<double>(counts[0]), documents = static_cast<double>(counts[1]);
    if (options.balance && goods > 0) good_weight_ = (documents - goods) / goods;
  }

  double evaluate(std::size_t q, std::span<const double> scores, Derivatives out) const override {
    const auto labels = data_.labels(q);
    const auto weights = data_.document_weights(q);
    double value = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const bool good = labels[i] >= relevant_from_;
      const double side = good ? 1 : -1;
      const double weight = data_.query_weight(q) * (weights.empty() ? 1.0 : weights[i]) *
                            (good ? good_weight_ : 1.0);
      const double short_of = 1 - side * scores[i];
      value += weight * std::max(0.0, short_of);
      out.first[i] = short_of > 0 ? -side * weight : 0.0;
      if (!out.second.empty()) out.second[i] = short_of > 0 ? weight : 0.0;
    }
    return value;
  }

 private:
  const Dataset& data_;
  double relevant_from_;
  double good_weight_ = 1;
};

class ClassificationHinge final : public Loss {
 public:
  ClassificationHinge(std::string name, ClassificationHingeOptions options)
      : name_(std::move(name)), options_(options) {}
  std::string name() const override { return name_; }
  LossTraits traits() const noexcept override {
    return {LossTraits::Shape::convex, LossTraits::Weights::smooth, LossTraits::Shift::sensitive};
  }
  LabelUse label_use() const override { return {.relevant_from = options_.relevant_from}; }
  std::unique_ptr<const BoundLoss> bind(const Dataset& data, Communicator& comm) const override {
    return std::make_unique<BoundHinge>(data, options_, comm);
  }

 private:
  std::string name_;
  ClassificationHingeOptions options_;
};

}  // namespace

std::unique_ptr<const Loss> classification_hinge_loss(const ClassificationHingeOptions& options) {
  return make_typed<ClassificationHinge>("hinge", classification_hinge_table(), options);
}

const Entry<Loss> kHinge = {
    "hinge", "classification hinge of relevant against non-relevant documents", "Yue07",
    []() -> const std::vector<Field>& { return classification_hinge_table().fields(); },
    [](const Settings& settings) {
      return classification_hinge_loss(classification_hinge_table().read(settings));
    }};

}  // namespace podium

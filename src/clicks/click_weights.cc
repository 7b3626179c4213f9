#include "clicks/click_weights.h"

#include <algorithm>

#include <fmt/format.h>

#include "podium/error.h"

namespace podium {
namespace {

// For each query of the data, one list per document with a weight: all documents of the query, of
// which only this one is relevant.
struct OneHotLists {
  Dataset lists;
  std::vector<std::size_t> begin = {0};  // of each query, among the lists
};

// `exposures`: a document j that is compared with the relevant one i has the weight E_j/(E_i +
// E_j); empty: 1.
OneHotLists one_hot_lists(const Dataset& data, const DocumentNumbers& numbers,
                          std::span<const double> weights, std::span<const double> exposures) {
  OneHotLists result;
  std::vector<std::uint64_t> list_begin = {0};
  std::vector<float> labels, list_weights, document_weights;
  std::vector<std::string> qids;
  for (std::size_t q = 0; q < data.queries(); ++q) {
    const std::size_t n = data.end(q) - data.begin(q);
    for (std::size_t i = 0; n > 1 && i < n; ++i) {
      const double weight = weights[numbers.of(data, q, data.begin(q) + i)];
      if (!(weight > 0)) continue;
      labels.resize(labels.size() + n, 0.0F);
      labels[labels.size() - n + i] = 1;
      if (!exposures.empty()) {
        const double own = exposures[numbers.of(data, q, data.begin(q) + i)];
        for (std::size_t j = 0; j < n; ++j) {
          const double other = exposures[numbers.of(data, q, data.begin(q) + j)];
          document_weights.push_back(j == i ? 1 : static_cast<float>(other / (own + other)));
        }
      }
      list_begin.push_back(labels.size());
      list_weights.push_back(static_cast<float>(weight) * data.query_weight(q));
      qids.push_back(std::to_string(data.query_key(q)));  // random choices go by it
    }
    result.begin.push_back(qids.size());
  }
  DatasetParts parts;
  parts.query_begin = std::move(list_begin);
  parts.labels = std::move(labels);
  parts.qids = make_strings(qids);
  parts.query_weights = std::move(list_weights);
  parts.document_weights = std::move(document_weights);
  result.lists = Dataset(std::move(parts));
  return result;
}

class BoundClickWeights final : public BoundLoss {
 public:
  BoundClickWeights(const Loss& loss, OneHotLists lists, Communicator& comm)
      : lists_(std::move(lists)), inner_(loss.bind(lists_.lists, comm)) {}

  bool informative(std::size_t q) const override {
    for (std::size_t l = lists_.begin[q]; l < lists_.begin[q + 1]; ++l)
      if (inner_->informative(l)) return true;
    return false;
  }
  Link link() const override { return inner_->link(); }

  double evaluate(std::size_t q, std::span<const double> scores, Derivatives out) const override {
    double value = 0;
    add_lists(q, out,
              [&](std::size_t l, Derivatives one) { value += inner_->evaluate(l, scores, one); });
    return value;
  }
  void differentiate(std::size_t q, std::span<const double> scores,
                     Derivatives out) const override {
    add_lists(q, out,
              [&](std::size_t l, Derivatives one) { inner_->differentiate(l, scores, one); });
  }

 private:
  template <class Evaluate>
  void add_lists(std::size_t q, Derivatives out, const Evaluate& evaluate) const {
    std::fill(out.first.begin(), out.first.end(), 0.0);
    std::fill(out.second.begin(), out.second.end(), 0.0);
    std::vector<double> first(out.first.size()), second(out.second.size());
    for (std::size_t l = lists_.begin[q]; l < lists_.begin[q + 1]; ++l) {
      evaluate(l, {first, second, out.stop});
      for (std::size_t i = 0; i < first.size(); ++i) out.first[i] += first[i];
      for (std::size_t i = 0; i < second.size(); ++i) out.second[i] += second[i];
    }
  }

  OneHotLists lists_;
  std::unique_ptr<const BoundLoss> inner_;
};

class ClickWeightedLoss final : public Loss {
 public:
  ClickWeightedLoss(SharedLoss loss, std::string name,
                    std::shared_ptr<const DocumentNumbers> numbers,
                    std::shared_ptr<const std::vector<double>> weights,
                    std::shared_ptr<const std::vector<double>> exposures)
      : loss_(std::move(loss)),
        name_(std::move(name)),
        numbers_(std::move(numbers)),
        weights_(std::move(weights)),
        exposures_(std::move(exposures)) {}

  std::string name() const override { return name_; }
  LossTraits traits() const noexcept override { return loss_->traits(); }
  std::unique_ptr<const BoundLoss> bind(const Dataset& data, Communicator& comm) const override {
    return std::make_unique<BoundClickWeights>(
        *loss_,
        one_hot_lists(
            data, *numbers_, *weights_,
            exposures_ ? std::span<const double>(*exposures_) : std::span<const double>()),
        comm);
  }

 private:
  SharedLoss loss_;
  std::string name_;
  std::shared_ptr<const DocumentNumbers> numbers_;
  std::shared_ptr<const std::vector<double>> weights_, exposures_;  // null: no exposures
};

}  // namespace

DocumentNumbers::DocumentNumbers(const Dataset& data) {
  for (std::size_t q = 0; q < data.queries(); ++q) {
    const std::uint32_t query = qids_.number(0, data.qid(q));
    for (std::size_t d = data.begin(q); d < data.end(q); ++d)
      documents_.number(query, data.docid(d));
  }
}

std::uint32_t DocumentNumbers::of(const Dataset& data, std::size_t query,
                                  std::size_t document) const {
  const std::uint32_t q = qids_.find(0, data.qid(query));
  const std::uint32_t d =
      q == IndexTable::kNone || !data.has_docids() ? q : documents_.find(q, data.docid(document));
  if (q == IndexTable::kNone || !data.has_docids() || d == IndexTable::kNone)
    throw Error(ErrorCode::data, "a loss on clicks can only be used with the data of its log");
  return d;
}

SharedLoss click_weighted_loss(const SharedLoss& loss, const std::string& method,
                               std::shared_ptr<const DocumentNumbers> numbers,
                               std::shared_ptr<const std::vector<double>> weights) {
  // The labels are the estimates of relevance already.
  if (loss->traits().shift == LossTraits::Shift::sensitive) return loss;
  return std::make_unique<ClickWeightedLoss>(loss,
                                             fmt::format("{}-clicks({})", method, loss->name()),
                                             std::move(numbers), std::move(weights), nullptr);
}

SharedLoss overlap_loss(const SharedLoss& loss, std::shared_ptr<const DocumentNumbers> numbers,
                        std::shared_ptr<const std::vector<double>> weights,
                        std::shared_ptr<const std::vector<double>> exposures) {
  if (!loss->over_preferences())
    throw Error(ErrorCode::usage,
                fmt::format("‹debias overlap› weighs comparisons of two documents: it needs a pair "
                            "loss or λ-rule, as those of lambdamart, lambdarank and ranknet, not "
                            "{}; ‹debias ipw› takes others",
                            loss->name()));
  return std::make_unique<ClickWeightedLoss>(loss, fmt::format("overlap-clicks({})", loss->name()),
                                             std::move(numbers), std::move(weights),
                                             std::move(exposures));
}

}  // namespace podium

// ListMLE [Xia08]: the negative log-likelihood of the documents' order by grade under Plackett–Luce
// (plackett_luce.h), of the whole order or of its first k ranks (@k) [Xia09].
//
// Many documents share a grade. ties=average takes the mean over the orders of equal grades, by
// Efron's rule; ties=permute draws one order when the loss is bound, by a hash of (seed, query id)
// and the documents' places in their query: the same order at every evaluation, and for any number
// of threads and ranks. The value is multiplied by the query's weight, each stage by the weight of
// its document.
#include "losses/listwise/listmle.h"

#include <algorithm>
#include <numeric>

#include "core/random.h"
#include "losses/catalog.h"
#include "losses/grade_blocks.h"
#include "losses/listwise/plackett_luce.h"
#include "losses/typed_loss.h"

namespace podium {
namespace {

const OptionTable<ListMleOptions>& listmle_table() {
  static const auto options =
      OptionTable<ListMleOptions>()
          .add("ties", &ListMleOptions::ties,
               "equal grades: average over their orders, or permute: one random order",
               grade_tie_choices())
          .add("seed", &ListMleOptions::seed, "for ties=permute", at_least(0))
          .add("k", &ListMleOptions::k, "use only the first k places; 0: all", at_least(0));
  return options;
}

class BoundListMle final : public BoundLoss {
 public:
  BoundListMle(const Dataset& data, const ListMleOptions& options)
      : data_(data),
        stages_(options.k > 0 ? static_cast<std::size_t>(options.k) : data.documents()),
        blocks_(data, GradeBlocks::Order::best_first) {
    if (options.ties == GradeTies::permute) permute(static_cast<std::uint64_t>(options.seed));
  }

  bool informative(std::size_t q) const override { return blocks_.documents(q).size() > 1; }

  double evaluate(std::size_t q, std::span<const double> scores, Derivatives out) const override {
    std::fill(out.first.begin(), out.first.end(), 0.0);
    std::fill(out.second.begin(), out.second.end(), 0.0);
    TiedOrder order{blocks_.documents(q), blocks_.ends(q)};
    if (!order_.empty())
      order = {std::span(order_).subspan(data_.begin(q), scores.size()),
               std::span(singles_).first(scores.size())};
    return add_plackett_luce(order, stages_, scores, data_.document_weights(q),
                             data_.query_weight(q), out);
  }

 private:
  void permute(std::uint64_t seed) {
    std::size_t longest = 0;
    for (std::size_t q = 0; q < data_.queries(); ++q) {
      const auto documents = blocks_.documents(q);
      longest = std::max(longest, documents.size());
      order_.insert(order_.end(), documents.begin(), documents.end());
      Random random(seed, data_.query_key(q));
      std::size_t begin = 0;
      for (const std::uint32_t end : blocks_.ends(q)) {
        random.shuffle(std::span(order_).subspan(data_.begin(q) + begin, end - begin));
        begin = end;
      }
    }
    singles_.resize(longest);
    std::iota(singles_.begin(), singles_.end(), 1U);
  }

  const Dataset& data_;
  std::size_t stages_;
  GradeBlocks blocks_;
  std::vector<std::uint32_t> order_, singles_;  // with ties=permute: every block has one document
};

class ListMle final : public Loss {
 public:
  ListMle(std::string name, ListMleOptions options) : name_(std::move(name)), options_(options) {}
  std::string name() const override { return name_; }
  LossTraits traits() const noexcept override {
    return {LossTraits::Shape::convex, LossTraits::Weights::smooth, LossTraits::Shift::invariant};
  }
  std::unique_ptr<const BoundLoss> bind(const Dataset& data, Communicator&) const override {
    return std::make_unique<BoundListMle>(data, options_);
  }

 private:
  std::string name_;
  ListMleOptions options_;
};

}  // namespace

std::unique_ptr<const Loss> listmle_loss(const ListMleOptions& options) {
  return make_typed<ListMle>("listmle", listmle_table(), options);
}

const Entry<Loss> kListMle = {
    "listmle", "likelihood of the order by grade under Plackett–Luce (ListMLE)", "Xia08",
    []() -> const std::vector<Field>& { return listmle_table().fields(); },
    [](const Settings& settings) { return listmle_loss(listmle_table().read(settings)); }};

}  // namespace podium

// Winner takes all [Burges05] section 3: only the first rank counts, so only the best good and the
// best bad document of a query are pushed apart, until the good one leads by δ:
//
//   L = φ(max_good s − max_bad s),   −φ' = 1 for x < 0, (δ − x)/δ up to δ, then 0
//
// A good document at the bottom of the list is not moved. Documents that share the best score share
// the gradient. The cost exists, but is not convex: the maximum over the good documents has the
// wrong sign. docs/guide/write-your-own-loss.md builds this file step by step.
#include <algorithm>
#include <limits>

#include "core/spec.h"
#include "losses/catalog.h"
#include "losses/relevance_split.h"

namespace podium {
namespace {

struct WinnerTakesAllOptions {
  double delta = 1;
  double relevant_from = 1;
};

const OptionTable<WinnerTakesAllOptions>& winner_takes_all_table() {
  static const auto options =
      OptionTable<WinnerTakesAllOptions>()
          .add("delta", &WinnerTakesAllOptions::delta,
               "margin by which a relevant document should lead", above(0))
          .add("relevant-from", &WinnerTakesAllOptions::relevant_from, kRelevantFromHelp);
  return options;
}

// The best score among some documents, and how many have it.
struct Best {
  double score = -std::numeric_limits<double>::infinity();
  double count = 0;
};
Best best_of(std::span<const std::uint32_t> documents, std::span<const double> scores) {
  Best best;
  for (const std::uint32_t i : documents) {
    if (scores[i] > best.score) best = {scores[i], 0};
    best.count += scores[i] == best.score;
  }
  return best;
}

class BoundWinnerTakesAll final : public BoundLoss {
 public:
  BoundWinnerTakesAll(const Dataset& data, const WinnerTakesAllOptions& options)
      : data_(data), sides_(data, options.relevant_from), delta_(options.delta) {}

  bool informative(std::size_t q) const override { return sides_.informative(q); }

  double evaluate(std::size_t q, std::span<const double> scores, Derivatives out) const override {
    std::fill(out.first.begin(), out.first.end(), 0.0);
    std::fill(out.second.begin(), out.second.end(), 0.0);
    if (!informative(q)) return 0;
    const Best good = best_of(sides_.good(q), scores), bad = best_of(sides_.bad(q), scores);
    const double x = good.score - bad.score, weight = data_.query_weight(q);
    if (x >= delta_) return 0;
    const double force = weight * (x < 0 ? 1 : (delta_ - x) / delta_);
    const auto push = [&](std::span<const std::uint32_t> documents, const Best& best, double sign) {
      for (const std::uint32_t i : documents) {
        if (scores[i] != best.score) continue;
        out.first[i] = sign * force / best.count;
        if (!out.second.empty()) out.second[i] = weight / (delta_ * best.count);
      }
    };
    push(sides_.good(q), good, -1);
    push(sides_.bad(q), bad, 1);
    return weight * (x < 0 ? 0.5 * delta_ - x : 0.5 * (delta_ - x) * (delta_ - x) / delta_);
  }

 private:
  const Dataset& data_;
  RelevanceSplit sides_;
  double delta_;
};

class WinnerTakesAll final : public Loss {
 public:
  WinnerTakesAll(std::string name, WinnerTakesAllOptions options)
      : name_(std::move(name)), options_(options) {}
  std::string name() const override { return name_; }
  LossTraits traits() const noexcept override {
    return {LossTraits::Shape::not_convex, LossTraits::Weights::smooth,
            LossTraits::Shift::invariant};
  }
  LabelUse label_use() const override { return {.relevant_from = options_.relevant_from}; }
  std::unique_ptr<const BoundLoss> bind(const Dataset& data, Communicator&) const override {
    return std::make_unique<BoundWinnerTakesAll>(data, options_);
  }

 private:
  std::string name_;
  WinnerTakesAllOptions options_;
};

}  // namespace

const Entry<Loss> kWinnerTakesAll = {
    "winner-takes-all",
    "only the first place counts: best relevant against best non-relevant document", "Burges05",
    []() -> const std::vector<Field>& { return winner_takes_all_table().fields(); },
    [](const Settings& settings) -> std::unique_ptr<const Loss> {
      return std::make_unique<WinnerTakesAll>(
          format_spec("winner-takes-all", winner_takes_all_table().fields(), settings),
          winner_takes_all_table().read(settings));
    }};

}  // namespace podium

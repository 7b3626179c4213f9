// Measures of the retrieved documents as a set; their order does not matter. With h = relevant
// retrieved, n = retrieved, R = relevant:
//   SetP = h/n   SetR = h/R   SetRelP = h/min(n, R)   SetAP = SetP · SetR
//   SetF(beta) = (1 + beta) · SetP · SetR/(SetR + beta · SetP); beta is not squared
//   Utility = relevant · h + nonrelevant · (n − h) + missed · (R − h)
// If nothing was retrieved, SetP = 0. All except SetP and Utility are undefined without a relevant
// document.
#include <algorithm>

#include "measures/catalog.h"
#include "measures/definition.h"
#include "measures/labels.h"
#include "podium/evaluator.h"

namespace podium {
namespace {

struct SetCounts {
  double hits, retrieved, relevant;

  double precision() const { return retrieved > 0 ? hits / retrieved : 0; }
  double recall() const { return hits / relevant; }
};

SetCounts count_set(const RankedLabels& ranking, double from) {
  return {static_cast<double>(count_relevant_in(ranking.by_rank, from)),
          static_cast<double>(ranking.by_rank.size()),
          static_cast<double>(count_relevant(ranking.ideal, from))};
}

struct SetOptions {
  double rel = 1;
};

struct SetPrecision {
  static constexpr std::string_view kName = "SetP", kTrecName = "set_P";
  static constexpr bool kNeedsRelevant = false;
  static double value(const SetCounts& set) { return set.precision(); }
};
struct SetRecall {
  static constexpr std::string_view kName = "SetR", kTrecName = "set_recall";
  static constexpr bool kNeedsRelevant = true;
  static double value(const SetCounts& set) { return set.recall(); }
};
struct SetRelativePrecision {
  static constexpr std::string_view kName = "SetRelP", kTrecName = "set_relative_P";
  static constexpr bool kNeedsRelevant = true;
  static double value(const SetCounts& set) {
    const double best = std::min(set.retrieved, set.relevant);
    return best > 0 ? set.hits / best : 0;
  }
};
struct SetAveragePrecision {
  static constexpr std::string_view kName = "SetAP", kTrecName = "set_map";
  static constexpr bool kNeedsRelevant = true;
  static double value(const SetCounts& set) { return set.precision() * set.recall(); }
};

template <class Formula>
class SetMeasure final : public DefinedMeasure {
 public:
  static constexpr std::string_view kName = Formula::kName;
  static const OptionTable<SetOptions>& table() {
    static const auto table = OptionTable<SetOptions>().add("rel", &SetOptions::rel, kRelevantHelp);
    return table;
  }

  SetMeasure(std::string name, const SetOptions& options)
      : DefinedMeasure(std::move(name)), from_(options.rel) {}

  std::optional<double> value(const RankedLabels& ranking) const override {
    const SetCounts set = count_set(ranking, from_);
    if (Formula::kNeedsRelevant && set.relevant == 0) return std::nullopt;
    return Formula::value(set);
  }
  std::optional<double> expected(const TieGroups& ties) const override {
    return value(ties.ranking);
  }
  double swap_delta(const RankedLabels&, std::size_t, std::size_t) const override { return 0; }
  MeasureForm form() const override { return {.kind = MeasureForm::Kind::constant}; }
  std::string trec_name(const Convention& convention) const override {
    return from_ == convention.relevant_from ? std::string(Formula::kTrecName) : "";
  }
  LabelUse label_use() const override { return {.relevant_from = from_}; }

 private:
  double from_;
};

struct SetFOptions {
  double rel = 1;
  double beta = 1;
};

class SetF final : public DefinedMeasure {
 public:
  static constexpr std::string_view kName = "SetF";
  static const OptionTable<SetFOptions>& table() {
    static const auto table =
        OptionTable<SetFOptions>()
            .add("rel", &SetFOptions::rel, kRelevantHelp)
            .add("beta", &SetFOptions::beta, "weight of recall against precision", at_least(0));
    return table;
  }

  SetF(std::string name, const SetFOptions& options)
      : DefinedMeasure(std::move(name)), options_(options) {}

  std::optional<double> value(const RankedLabels& ranking) const override {
    const SetCounts set = count_set(ranking, options_.rel);
    if (set.relevant == 0) return std::nullopt;
    if (set.hits == 0) return 0;
    return (1 + options_.beta) * set.precision() * set.recall() /
           (set.recall() + options_.beta * set.precision());
  }
  std::optional<double> expected(const TieGroups& ties) const override {
    return value(ties.ranking);
  }
  double swap_delta(const RankedLabels&, std::size_t, std::size_t) const override { return 0; }
  MeasureForm form() const override { return {.kind = MeasureForm::Kind::constant}; }
  std::string trec_name(const Convention& convention) const override {
    const bool usual = options_.rel == convention.relevant_from && options_.beta == 1;
    return usual ? "set_F" : "";
  }

 private:
  SetFOptions options_;
};

struct UtilityOptions {
  double rel = 1;
  double relevant = 1;
  double nonrelevant = -1;
  double missed = 0;
  bool operator==(const UtilityOptions&) const = default;
};

class Utility final : public DefinedMeasure {
 public:
  static constexpr std::string_view kName = "Utility";
  static const OptionTable<UtilityOptions>& table() {
    static const auto table =
        OptionTable<UtilityOptions>()
            .add("rel", &UtilityOptions::rel, kRelevantHelp)
            .add("relevant", &UtilityOptions::relevant, "value of a relevant document retrieved")
            .add("nonrelevant", &UtilityOptions::nonrelevant,
                 "value of any other document retrieved")
            .add("missed", &UtilityOptions::missed, "value of a relevant document not retrieved");
    return table;
  }

  Utility(std::string name, const UtilityOptions& options)
      : DefinedMeasure(std::move(name)), options_(options) {}

  std::optional<double> value(const RankedLabels& ranking) const override {
    const SetCounts set = count_set(ranking, options_.rel);
    return options_.relevant * set.hits + options_.nonrelevant * (set.retrieved - set.hits) +
           options_.missed * (set.relevant - set.hits);
  }
  std::optional<double> expected(const TieGroups& ties) const override {
    return value(ties.ranking);
  }
  double swap_delta(const RankedLabels&, std::size_t, std::size_t) const override { return 0; }
  MeasureForm form() const override { return {.kind = MeasureForm::Kind::constant}; }
  std::string trec_name(const Convention& convention) const override {
    UtilityOptions usual;
    usual.rel = convention.relevant_from;
    return options_ == usual ? "utility" : "";
  }

 private:
  UtilityOptions options_;
};

}  // namespace

const Entry<Measure> kSetPrecision =
    define<SetMeasure<SetPrecision>>("precision of the retrieved set", "");
const Entry<Measure> kSetRecall = define<SetMeasure<SetRecall>>("recall of the retrieved set", "");
const Entry<Measure> kSetRelativePrecision = define<SetMeasure<SetRelativePrecision>>(
    "precision of the retrieved set relative to the best possible", "");
const Entry<Measure> kSetAveragePrecision =
    define<SetMeasure<SetAveragePrecision>>("precision times recall of the retrieved set", "");
const Entry<Measure> kSetF =
    define<SetF>("weighted harmonic mean of the retrieved set's precision and recall", "");
const Entry<Measure> kUtility =
    define<Utility>("utility of the retrieved set (trec_eval's utility)", "");

}  // namespace podium

// Interpolated precision at a recall level, as trec_eval computes it: IPrec@x = the highest
// precision at any rank by which at least c = max(1, round(x · relevant)) relevant documents are
// found; 0 when c never are. IPrec11 = the mean over x = 0, 0.1, …, 1 (trec_eval's 11pt_avg).
// Undefined without a relevant document.
//
// Under ties: only precisions at relevant documents matter, and the best of each tied group is
// independent of the other groups. P(best of a group ≤ v) is the probability that its relevant
// documents, drawn position by position, all come late enough; a short dynamic programme computes
// it for each value v that can occur, and E[max] = ∫ 1 − P dv. Exact up to rounding, and slow for
// large groups: O((r(t − r))²) for t documents, r of them relevant.
#include <algorithm>
#include <cmath>
#include <vector>

#include "measures/catalog.h"
#include "measures/definition.h"
#include "measures/labels.h"
#include "measures/trec_names.h"
#include "podium/evaluator.h"

namespace podium {
namespace {

constexpr double kNegligible = 1e-17;  // of a probability
constexpr double kLevels = 10;         // different levels of IPrec11

double precision(std::size_t relevant, std::size_t rank) {
  return static_cast<double>(relevant) / static_cast<double>(rank);
}

// A tied group with relevant and other documents; `begin` documents are above it, `above` of them
// relevant.
struct MixedGroup {
  std::size_t begin, size, relevant, above;
};

// The maximum number of relevant documents by a rank such that no precision is > v.
std::size_t most_below(double v, std::size_t rank) {
  auto count = static_cast<std::size_t>(v * static_cast<double>(rank));
  while (precision(count + 1, rank) <= v) ++count;
  while (count > 0 && precision(count, rank) > v) --count;
  return count;
}

// P(no relevant document of the group, from the `needed`-th of the query on, has precision > v).
double chance_below(const MixedGroup& group, std::size_t needed, double v, StopCheck stop,
                    std::vector<double>& reached, std::vector<double>& next) {
  const auto r = static_cast<double>(group.relevant);
  reached.assign(group.relevant + 1,
                 0);  // reached[a]: a relevant ones so far, none of them too early
  next.assign(group.relevant + 1, 0);
  reached[0] = 1;
  for (std::size_t p = 0; p < group.size; ++p) {
    stop();
    const std::size_t allowed = std::max(most_below(v, group.begin + p + 1), needed - 1);
    const std::size_t most =
        std::min({allowed > group.above ? allowed - group.above : 0, group.relevant, p + 1});
    const auto left = static_cast<double>(group.size - p);
    next[0] = reached[0] * (left - r) / left;
    for (std::size_t a = 1; a <= most; ++a) {
      const double missing = r - static_cast<double>(a);
      next[a] = (reached[a] * (left - missing) + reached[a - 1] * (missing + 1)) / left;
    }
    std::swap(reached, next);
  }
  return reached[group.relevant];
}

double expected_maximum(const std::vector<MixedGroup>& groups, std::size_t needed, double certain,
                        StopCheck stop) {
  std::vector<double> values = {certain}, reached, next;
  for (const MixedGroup& group : groups)
    for (std::size_t a = 1; a <= group.relevant; ++a) {
      stop();
      if (group.above + a < needed) continue;
      const std::size_t last = group.size - (group.relevant - a);
      for (std::size_t p = a; p <= last; ++p)
        if (const double v = precision(group.above + a, group.begin + p); v > certain)
          values.push_back(v);
    }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  const auto chance = [&](double v) {
    double all = 1;
    for (const MixedGroup& group : groups)
      all *= chance_below(group, needed, v, stop, reached, next);
    return all;
  };
  // E[max] = lowest + ∫ 1 − P(max ≤ v) dv, bisecting where P still rises by more than rounding.
  const auto integrate = [&](const auto& self, std::size_t low, std::size_t high, double at_low,
                             double at_high) -> double {
    if (high - low <= 1 || at_high - at_low <= kNegligible)
      return (values[high] - values[low]) * (1 - at_low);
    const std::size_t middle = (low + high) / 2;
    const double at_middle = chance(values[middle]);
    return self(self, low, middle, at_low, at_middle) +
           self(self, middle, high, at_middle, at_high);
  };
  return values.front() + integrate(integrate, 0, values.size() - 1, chance(values.front()), 1);
}

std::size_t needed_for(double recall, std::size_t relevant) {
  const double needed = std::round(recall * static_cast<double>(relevant));
  return std::max<std::size_t>(1, static_cast<std::size_t>(needed));
}

double value_at(std::span<const float> by_rank, double from, std::size_t needed) {
  double best = 0;
  std::size_t relevant = 0;
  for (std::size_t r = 0; r < by_rank.size(); ++r)
    if (is_relevant(by_rank[r], from) && ++relevant >= needed)
      best = std::max(best, precision(relevant, r + 1));
  return best;
}

double expected_at(const TieGroups& ties, double from, std::size_t needed) {
  std::vector<MixedGroup> mixed;
  double certain = 0;
  std::size_t above = 0;
  for_each_group(ties, Measure::kWholeList, [&](std::size_t begin, std::size_t end) {
    const std::size_t size = end - begin;
    const std::size_t relevant = count_relevant_in(ties.ranking.by_rank.subspan(begin, size), from);
    if (relevant == size) {
      for (std::size_t a = 1; a <= size; ++a)
        if (above + a >= needed) certain = std::max(certain, precision(above + a, begin + a));
    } else if (relevant > 0 && above + relevant >= needed) {
      mixed.push_back({begin, size, relevant, above});
    }
    above += relevant;
  });
  return mixed.empty() ? certain : expected_maximum(mixed, needed, certain, ties.stop);
}

struct IprecOptions {
  double rel = 1;
  double k = 0;
};

class InterpolatedPrecision final : public DefinedMeasure {
 public:
  static constexpr std::string_view kName = "IPrec";
  static const OptionTable<IprecOptions>& table() {
    static const auto table = OptionTable<IprecOptions>()
                                  .add("rel", &IprecOptions::rel, kRelevantHelp)
                                  .add("k", &IprecOptions::k, "recall level", between(0, 1));
    return table;
  }

  InterpolatedPrecision(std::string name, const IprecOptions& options)
      : DefinedMeasure(std::move(name)), from_(options.rel), recall_(options.k) {}

  std::optional<double> value(const RankedLabels& ranking) const override {
    const std::size_t relevant = count_relevant(ranking.ideal, from_);
    if (relevant == 0) return std::nullopt;
    return value_at(ranking.by_rank, from_, needed_for(recall_, relevant));
  }
  std::optional<double> expected(const TieGroups& ties) const override {
    const std::size_t relevant = count_relevant(ties.ranking.ideal, from_);
    if (relevant == 0) return std::nullopt;
    return expected_at(ties, from_, needed_for(recall_, relevant));
  }
  std::optional<TiedCost> tied_cost() const override { return TiedCost{1, from_}; }
  std::string trec_name(const Convention& convention) const override {
    const bool usual = from_ == convention.relevant_from;
    return usual ? trec_fraction_name("iprec_at_recall", recall_) : "";
  }
  LabelUse label_use() const override { return {.relevant_from = from_}; }

 private:
  double from_;
  double recall_;
};

struct Iprec11Options {
  double rel = 1;
};

class ElevenPointAverage final : public DefinedMeasure {
 public:
  static constexpr std::string_view kName = "IPrec11";
  static const OptionTable<Iprec11Options>& table() {
    static const auto table =
        OptionTable<Iprec11Options>().add("rel", &Iprec11Options::rel, kRelevantHelp);
    return table;
  }

  ElevenPointAverage(std::string name, const Iprec11Options& options)
      : DefinedMeasure(std::move(name)), from_(options.rel) {}

  std::optional<double> value(const RankedLabels& ranking) const override {
    return average(ranking, [&](std::size_t c) { return value_at(ranking.by_rank, from_, c); });
  }
  std::optional<double> expected(const TieGroups& ties) const override {
    return average(ties.ranking, [&](std::size_t c) { return expected_at(ties, from_, c); });
  }
  std::optional<TiedCost> tied_cost() const override { return TiedCost{kLevels, from_}; }
  std::string trec_name(const Convention& convention) const override {
    return from_ == convention.relevant_from ? "11pt_avg" : "";
  }
  LabelUse label_use() const override { return {.relevant_from = from_}; }

 private:
  template <class At>
  std::optional<double> average(const RankedLabels& ranking, At&& at) const {
    const std::size_t relevant = count_relevant(ranking.ideal, from_);
    if (relevant == 0) return std::nullopt;
    double sum = 0;
    for (int i = 0; i <= 10; ++i) sum += at(needed_for(i / 10.0, relevant));
    return sum / 11;
  }

  double from_;
};

}  // namespace

const Entry<Measure> kInterpolatedPrecision = define<InterpolatedPrecision>(
    "interpolated precision at a recall level, IPrec@0.1", "Buckley00");
const Entry<Measure> kElevenPointAverage = define<ElevenPointAverage>(
    "mean interpolated precision at recall 0, 0.1, …, 1 (trec_eval's 11pt_avg)", "Buckley00");

}  // namespace podium

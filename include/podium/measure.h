// Measures: what users care about. A measure sees one query, as the labels in ranked order, and
// nothing else. Ties, empty queries, weights and averages are handled by the evaluator.
//
// Life of an evaluation: parse_measure("nDCG@10", convention) → Evaluator ranks each query once →
// Measure::value or ::tied per query → Mean per measure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "podium/catalog.h"
#include "podium/label_use.h"
#include "podium/stop.h"

namespace podium {

struct RankedLabels {
  std::span<const float> by_rank;  // best score first; NaN: not judged
  std::span<const float> ideal;  // every judged label of the query, descending; a document that was
                                 // not retrieved is here and not in by_rank
};

// A ranking in which scores tie: group g holds ranks ends[g − 1] … ends[g] − 1, in any order.
struct TieGroups {
  RankedLabels ranking;
  std::span<const std::uint32_t> ends;
  StopCheck stop = {};  // checked by measures that take long for ties
};

// Differences between tools for measures with the same name; a Convention (evaluator.h) makes the
// choices. Ranks r count from 0.
enum class GradeGain { exp2, linear };    // 2^grade − 1, grade
enum class RankDiscount { log2, letor };  // 1/log2(r + 2); 1, 1, then 1/log2(r + 1)
enum class ShortLists { whole, zero };    // nDCG@k of fewer than k documents: zero is 0
enum class ApDenominator {
  relevant,   // all relevant documents
  cut_off,    // min(relevant documents, k)
  retrieved,  // the relevant among the first k
};

enum class Aggregation {
  mean,
  geometric,  // exp of the mean log, values floored at 1e-5 (trec_eval's gm_map)
  sum,        // counts
};

// How a value depends on the order of the documents. Every measure can be re-evaluated when two
// documents change places (general); the other forms describe how its parts change instead.
struct MeasureForm {
  enum class Kind {
    constant,   // the order does not matter
    additive,   // Σ gain(label) · weight(rank)
    precision,  // average precision over the whole list
    first,      // reciprocal rank over the whole list
    cascade,    // expected reciprocal rank over the whole list
    pairs,      // AUC
    general,
  };
  Kind kind = Kind::general;
  double relevant_from = 1;  // precision, first, pairs: the grade from which a document is relevant
  // additive: the weight of a rank, 1 at the first; empty: not known without evaluating lists.
  std::function<double(std::size_t)> discount = {};
};

// The cost of tied() for a group of t documents, r of them relevant: factor · (r (t − r))² steps.
struct TiedCost {
  double factor;
  double relevant_from;
};

class RankWeights;  // rank_weights.h
struct Convention;  // evaluator.h

class Measure {
 public:
  static constexpr std::size_t kWholeList = std::numeric_limits<std::size_t>::max();

  virtual ~Measure() = default;

  // "nDCG(gain=linear)@10"; parse_measure returns the same measure.
  virtual std::string name() const = 0;

  // nullopt: undefined for this query (no relevant document); the evaluator's EmptyQuery decides.
  virtual std::optional<double> value(const RankedLabels& ranking) const = 0;

  // The mean of value() over all orders inside the tied groups, exactly.
  virtual std::optional<double> expected(const TieGroups& ties) const = 0;

  // The value for tied scores. Most measures are defined on orders only, so it is expected(); tau
  // has its own definition.
  virtual std::optional<double> tied(const TieGroups& ties) const { return expected(ties); }

  // value after swapping ranks i and j, minus value before; 0 where undefined.
  virtual double swap_delta(const RankedLabels& ranking, std::size_t i, std::size_t j) const;

  // Ranks from this one on never matter.
  virtual std::size_t depth() const { return kWholeList; }
  virtual Aggregation aggregation() const { return Aggregation::mean; }

  // Optional properties of the measure; the defaults are for a measure without any.
  virtual MeasureForm form() const { return {}; }
  virtual LabelUse label_use() const { return {}; }
  // |swap_delta| in closed form; null: it is computed pair by pair.
  virtual std::shared_ptr<const RankWeights> swap_weights() const { return nullptr; }
  // Unset: tied() takes no longer than sorting.
  virtual std::optional<TiedCost> tied_cost() const { return std::nullopt; }
  // trec_eval's name ("ndcg_cut_10") for a measure that follows the convention; "" for others, and
  // if trec_eval has none.
  virtual std::string trec_name(const Convention&) const { return {}; }
};
using MeasurePtr = std::shared_ptr<const Measure>;

const Catalog<Measure>& measures();

// "nDCG@10", "AP(rel=2)", "NDCG@5" (alias), "ndcg_cut_10" (trec_eval's name), with unspecified
// choices taken from the convention.
MeasurePtr parse_measure(std::string_view text, const Convention& convention);
// As users list them: "nDCG@10,AP,RR" (commas inside parentheses do not split).
std::vector<MeasurePtr> parse_measures(std::string_view list, const Convention& convention);
// The measure's name with only what differs from the convention: "nDCG@10" under letor is LETOR's.
std::string measure_label(const Measure& measure, const Convention& convention);

}  // namespace podium

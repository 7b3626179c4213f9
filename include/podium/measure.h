// Measures: what users care about. A measure sees one query, as the labels in ranked order, and
// nothing else. Ties, empty queries, weights and averages are the evaluator's affair.
//
// Life of an evaluation: parse_measure("nDCG@10", convention) → Evaluator ranks each query once →
// Measure::value or ::tied per query → Mean per measure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "podium/catalog.h"
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
  StopCheck stop = {};  // asked on the way by measures that take long over ties
};

enum class Aggregation {
  mean,
  geometric,  // exp of the mean log, values floored at 1e-5 (trec_eval's gm_map)
  sum,        // counts
};

class Measure {
 public:
  static constexpr std::size_t kWholeList = std::numeric_limits<std::size_t>::max();

  virtual ~Measure() = default;

  // "nDCG(gain=linear)@10"; parse_measure gives the same measure back.
  virtual std::string name() const = 0;

  // nullopt: undefined for this query (no relevant document); the evaluator's EmptyQuery decides.
  virtual std::optional<double> value(const RankedLabels& ranking) const = 0;

  // The mean of value() over all orders inside the tied groups, exactly.
  virtual std::optional<double> expected(const TieGroups& ties) const = 0;

  // The value for tied scores. Most measures are defined on orders only, so it is expected();
  // tau has a definition of its own.
  virtual std::optional<double> tied(const TieGroups& ties) const { return expected(ties); }

  // value after swapping ranks i and j, minus value before; 0 where undefined.
  virtual double swap_delta(const RankedLabels& ranking, std::size_t i, std::size_t j) const;

  // Ranks from here on never matter.
  virtual std::size_t depth() const { return kWholeList; }
  virtual Aggregation aggregation() const { return Aggregation::mean; }
};
using MeasurePtr = std::shared_ptr<const Measure>;

const Catalog<Measure>& measures();

struct Convention;
// "nDCG@10", "AP(rel=2)", "NDCG@5" (alias), "ndcg_cut_10" (trec_eval's name), with what is not said
// taken from the convention.
MeasurePtr parse_measure(std::string_view text, const Convention& convention);
// As users list them: "nDCG@10,AP,RR" (commas inside parentheses do not split).
std::vector<MeasurePtr> parse_measures(std::string_view list, const Convention& convention);
// The measure's name with only what differs from the convention: "nDCG@10" under letor is LETOR's.
std::string measure_label(const Measure& measure, const Convention& convention);

}  // namespace podium

// The evaluator: ranks every query once and evaluates each measure. Tie rule, value of empty
// queries, weights and averages are decided only here, by a named Convention.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "podium/context.h"
#include "podium/dataset.h"
#include "podium/measure.h"

namespace podium {

enum class Ties {
  expected,  // the mean over all orders of the tied documents
  stable,    // input order
  docid,     // trec_eval: descending document id
};
enum class EmptyQuery { zero, one, skip };

// How a tool computes its measures. docs/reference/conventions.md shows the table.
struct Convention {
  std::string name = "podium";
  std::string tool = "Podium";  // the tool it matches
  GradeGain gain = GradeGain::exp2;
  RankDiscount discount = RankDiscount::log2;
  Ties ties = Ties::expected;
  EmptyQuery empty = EmptyQuery::zero;  // value if a measure is undefined
  double relevant_from = 1;             // lowest relevant grade
  ApDenominator ap_denominator = ApDenominator::relevant;
  ShortLists short_lists = ShortLists::whole;
  int decimals = 6;  // in the text output of `podium eval`

  std::string text() const;  // one line: name and every choice
};
const std::vector<Convention>& conventions();
const Convention& find_convention(std::string_view name);  // Error names the nearest

// Which part of each list is evaluated. The convention's order decides which of several tied
// documents is left out, input order under Ties::expected.
struct ListLimits {
  std::size_t per_host = 0;  // only the best-scored N documents of a host form the list (0: all)
  std::size_t depth = 0;     // only the best-scored M documents count as retrieved (0: all)
};

// Lists of documents with labels and scores: everything that the evaluator needs from the data.
struct QueryLists {
  std::span<const std::uint64_t> query_begin;  // queries + 1
  std::span<const float> labels;               // one per document; NaN: not judged
  std::span<const double> scores;              // one per document
  const Strings* qids = nullptr;               // one per query
  // The row of the input of each document, for ties by input order; empty: as they are listed.
  std::span<const std::uint64_t> input_rows = {};
  // The id of a document, called for tied ones; null: ties by input order.
  std::function<std::string_view(std::size_t)> docid = {};
  const Strings* hosts = nullptr;             // one per document; null or empty: no hosts known
  std::span<const float> query_weights = {};  // one per query; empty: all 1
  // Judged documents that are in no list: labels missing_begin[q] … missing_begin[q + 1] − 1.
  std::span<const std::uint64_t> missing_begin = {};
  std::span<const float> missing = {};
};

struct Evaluation {
  std::vector<std::string> measures;           // as measure_label prints them under the convention
  std::vector<double> values;                  // aggregated, one per measure; NaN: no query counted
  std::vector<std::vector<double>> per_query;  // [measure][query]; NaN where skipped
  std::vector<std::string> qids;
  std::size_t queries = 0;
  std::size_t empty = 0;  // queries without a relevant document
};

class Evaluator {
 public:
  Evaluator(std::vector<MeasurePtr> measures, Convention convention, ListLimits limits = {});

  const std::vector<MeasurePtr>& measures() const noexcept { return measures_; }
  const Convention& convention() const noexcept { return convention_; }
  const ListLimits& limits() const noexcept { return limits_; }

  // scores: one per document of the data, in its order. Values, queries and empty are totals across
  // ranks; per_query and qids are this rank's. With a single rank, throws Stopped if a stop request
  // arrives inside a list that takes long.
  Evaluation evaluate(const Dataset& data, std::span<const double> scores, Context& context) const;
  Evaluation evaluate(const QueryLists& lists, Context& context) const;

 private:
  std::vector<MeasurePtr> measures_;
  Convention convention_;
  ListLimits limits_;
};

// The aggregated value of one measure.
double evaluate(const MeasurePtr& measure, const Convention& convention, const Dataset& data,
                std::span<const double> scores, Context& context);

}  // namespace podium

// The evaluator: ranks every query once and asks each measure. Which tie rule, what an empty query
// counts, weights, averages: decided here and nowhere else, by a Convention that has a name.
#pragma once

#include <cstdint>
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

// How a tool computes its figures. docs/reference/conventions.md shows the table.
struct Convention {
  std::string name = "podium";
  std::string gain = "exp2";      // default of measures that have one: exp2, linear
  std::string discount = "log2";  // log2, letor
  Ties ties = Ties::expected;
  EmptyQuery empty = EmptyQuery::zero;
  double relevant_from = 1;       // a document is good from this grade on
  std::string ap_denominator = "relevant";  // of AP@k: relevant, cutoff (min(relevant, k)), retrieved
  std::string short_lists = "whole";        // nDCG@k of a list shorter than k: whole, zero (LETOR 4.0)
  int decimals = 6;                         // of `podium eval`'s text

  std::string text() const;  // one line: name and every choice
};
const std::vector<Convention>& conventions();
const Convention& find_convention(std::string_view name);  // Error names the nearest

// A sum that adds up over threads and ranks in any order to the same bits.
struct Evaluation {
  std::vector<std::string> measures;
  std::vector<double> values;                   // aggregated, one a measure
  std::vector<std::vector<double>> per_query;   // [measure][query]; NaN where skipped
  std::vector<std::string> qids;
  std::size_t queries = 0;
  std::size_t empty = 0;  // queries without a relevant document
};

class Evaluator {
 public:
  Evaluator(std::vector<MeasurePtr> measures, Convention convention);

  const std::vector<MeasurePtr>& measures() const noexcept { return measures_; }
  const Convention& convention() const noexcept { return convention_; }

  // scores: one a document of the data, in its order. Global over the communicator's ranks.
  Evaluation evaluate(const Dataset& data, std::span<const double> scores, Context& context) const;

 private:
  std::vector<MeasurePtr> measures_;
  Convention convention_;
};

// The aggregated value of one measure.
double evaluate(const MeasurePtr& measure, const Convention& convention, const Dataset& data,
                std::span<const double> scores, Context& context);

}  // namespace podium

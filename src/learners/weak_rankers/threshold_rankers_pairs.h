// The pairs of losses over graded labels: within a query, any two documents of different grades.
// Documents are sorted by grade, so that terms that factorise over a pair are summed without
// visiting pairs. Preferences (Dataset::preferences) are pairs of their own, visited one by one.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "losses/pairwise/pair_options.h"
#include "podium/context.h"
#include "podium/dataset.h"
#include "podium/training.h"

namespace podium {

struct PairOptions {
  PairScale pairs = PairScale::average;
  enum class Labels { graded, binary } labels = Labels::graded;
  double relevant_from = 1;  // labels=binary: good from this grade on
  TrainingSpec::Preferences preferences = TrainingSpec::Preferences::none;
};

// How model files name the sum of a loss over pairs of grades, a row of losses(), and the same loss
// over preferences; "" without preferences.
std::string preference_loss_text(std::string_view loss, const PairOptions& options);

class GradedPairs {
 public:
  // Throws an Error if no query of any rank has a pair.
  GradedPairs(const Dataset& data, const PairOptions& options, Context& context);

  struct Given {
    std::uint32_t better, worse;  // documents from Query::begin
    double weight;                // above 0, in the unit of Query::weight
  };
  struct Query {
    std::size_t number;                   // in the data
    std::size_t begin;                    // its first document
    std::vector<std::uint32_t> by_grade;  // its documents from `begin`, worst grade first
    std::vector<std::uint32_t> ends;      // of the grades' runs in by_grade
    double weight;             // of each pair of grades; all pairs of all ranks have the total 1
    std::vector<Given> given;  // preferences
  };
  std::span<const Query> queries() const noexcept { return queries_; }
  std::size_t documents() const noexcept { return documents_; }  // of the data
  std::size_t skipped() const noexcept { return skipped_; }  // queries without a pair, of this rank
  double count() const noexcept { return count_; }           // pairs of all ranks

 private:
  std::vector<Query> queries_;
  std::size_t documents_ = 0;
  std::size_t skipped_ = 0;
  double count_ = 0;
};

}  // namespace podium

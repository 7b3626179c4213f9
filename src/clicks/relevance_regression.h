// f of regression-em: the score of a document from its features, such that σ(f(x)) is the
// probability that it is relevant. Any learner that takes a loss. Learners that can start from
// scores are trained further by each refit; others are trained anew.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "clicks/posterior_loss.h"
#include "podium/click_log.h"
#include "podium/training.h"

namespace podium {

class RelevanceRegression {
 public:
  // `learner`: "name(option=value,…)". The log must have been matched with the data. `relevance`:
  // a first estimate of each document of the log. A usage Error if the learner takes no loss.
  RelevanceRegression(const Dataset& data, const ClickLog& log, const std::string& learner,
                      const std::vector<double>& relevance, Context& context);

  // The scores of the documents of the log, after a fit to labels by document of the log.
  std::vector<double> fit(const SoftLabels& labels);

 private:
  TrainingSpec spec_;
  Context& context_;
  std::vector<std::uint32_t> row_;  // of each document of the log, in the prepared data
  std::vector<std::uint32_t> number_;
  std::shared_ptr<const DocumentNumbers> numbers_;
  std::shared_ptr<SoftLabels> labels_;
  PreparedData data_;
};

}  // namespace podium

// Judgements from clicks: what a fitted click model believes of each document that was shown, with
// a 95 % interval, and how much the log knows about it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "podium/click_model.h"

namespace podium {

struct Judgement {
  double relevance = 0;        // γ, or α σ
  double low = 0, high = 1;    // Wilson's interval at the number of examinations
  double exposure = 0;         // examinations: Σ n θ_p
  double weight() const { return exposure / (exposure + 10); }  // of the document in training
};
// One per document of the log.
std::vector<Judgement> judge(const ClickLog& log, const ClickModel& model);

// "0.2,0.5": grade 0 below 0.2, 1 below 0.5, otherwise 2. Usage Error unless the numbers ascend.
std::vector<double> parse_thresholds(std::string_view text);
double grade_of(double relevance, const std::vector<double>& thresholds);

// The documents that were shown, labelled by their relevance (or its grade, if there are
// thresholds) and weighted by exposure. The log must have been matched with the data.
Dataset judged_data(const Dataset& data, const ClickLog& log, const std::vector<Judgement>& judged,
                    const std::vector<double>& thresholds);

}  // namespace podium

// What each document of a log counts for ‹debias overlap›: its clicks and how often it was
// examined. See podium/debiased.h.
#pragma once

#include <vector>

#include "podium/click_model.h"

namespace podium {

struct ExaminedClicks {
  std::vector<double> clicks;     // C_d; with trust bias those due to relevance
  std::vector<double> exposures;  // E_d
};
// Without propensities the log must have its own.
ExaminedClicks examined_clicks(const ClickLog& log, const Propensities* propensities);

}  // namespace podium

// Labels that do not fit what is done with them: counts as exponents of gains, shares that never
// become relevant, labels below 0 that gain nothing.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "podium/communicator.h"
#include "podium/context.h"
#include "podium/label_use.h"
#include "podium/measure.h"

namespace podium {

// What the labels of the data are like, on all ranks together.
struct LabelRange {
  double min = 0, max = 0;
  bool fractions = false;
};
LabelRange label_range(std::span<const float> labels, Communicator& comm);

// A measure or a loss, and what it does with labels.
struct LabelUser {
  std::string name;
  LabelUse use;
};
std::vector<LabelUser> label_users(std::span<const MeasurePtr> measures);

// One line for each way in which the labels do not fit, with everything that they do not fit. No
// line depends on how large a label is: folds of the same data say the same.
std::vector<std::string> label_notes(const LabelRange& labels, std::span<const LabelUser> users);

// The notes of measures, to the observer.
void note_labels(std::span<const float> labels, std::span<const MeasurePtr> measures,
                 Context& context);

// "‹gain linear›, …": what to do about labels beyond kHighestGrade. `gain`: how to write that.
std::string instead_of_exponents(const std::string& gain);

}  // namespace podium

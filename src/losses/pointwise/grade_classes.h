// Grades as classes, for losses that estimate a distribution over them (McRank): the distinct
// grades of the training data on all ranks, ascending.
#pragma once

#include <string_view>
#include <vector>

#include "podium/communicator.h"
#include "podium/dataset.h"

namespace podium {

// At least one: 0 if there are no documents. Throws an Error if there are more than kMaxClasses,
// which is regression, not classification; `loss` is for its text.
constexpr std::size_t kMaxClasses = 256;
std::vector<double> grade_classes(const Dataset& data, Communicator& comm, std::string_view loss);

// The index of a grade among the classes.
std::size_t class_of(double grade, const std::vector<double>& classes);

// The minimum second derivative of a binary or multinomial log loss, p(1 − p): for a document that
// is certainly wrong it is almost 0, and the step would be unbounded.
constexpr double kLeastCurvature = 1e-6;

}  // namespace podium

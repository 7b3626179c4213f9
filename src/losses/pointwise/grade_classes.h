// Grades as classes, for losses that estimate a distribution over them (McRank): the distinct
// grades of the training data on all ranks, ascending.
#pragma once

#include <string_view>
#include <vector>

#include "podium/communicator.h"
#include "podium/dataset.h"

namespace podium {

// At least one: 0 where there is no document at all. An Error where there are more than
// kMaxClasses, which is regression and not classification; `loss` is for its text.
constexpr std::size_t kMaxClasses = 256;
std::vector<double> grade_classes(const Dataset& data, Communicator& comm, std::string_view loss);

// The place of a grade that is among the classes.
std::size_t class_of(double grade, const std::vector<double>& classes);

// The least second derivative of a binary or multinomial log loss, p(1 − p), that is passed on: a
// document that is wrong beyond doubt has next to none and would ask for a boundless step.
constexpr double kLeastCurvature = 1e-6;

}  // namespace podium

// The direction of a linear model, and which systems of a comparison have nearly the same one: a
// model's length changes no ranking, so systems with the same direction rank the same, whatever
// their names.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "podium/model.h"

namespace podium {

// How much each input feature affects the scores (its weight times its standard deviation),
// normalised to length 1, by name; features with different preparation have different names. Empty
// for other models, and if no feature has an effect.
using Direction = std::vector<std::pair<std::string, double>>;

// `inputs`: the training data as the model's inputs.
Direction direction_of(const SavedModel& saved, const Dataset& inputs);

// 1 for the same direction; a feature counts as 0 where it is missing.
double cosine(const Direction& a, const Direction& b);

inline constexpr double kSameDirection = 0.99;

// Groups of two or more systems with the same direction in every fold. directions: [system][fold];
// a system without a direction is in no group.
std::vector<std::vector<std::size_t>> same_directions(
    const std::vector<std::vector<Direction>>& directions);

}  // namespace podium

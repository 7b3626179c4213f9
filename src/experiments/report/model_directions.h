// The direction of a linear model, and which systems of a comparison end as nearly the same one: a
// model's length changes no ranking, so systems that point the same way rank in the same way,
// whatever they are called.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "podium/model.h"

namespace podium {

// How far each input feature moves the scores (its weight times its standard deviation), of length
// 1, by name; features that are prepared in different ways have different names. Empty for other
// models, and where nothing moves.
using Direction = std::vector<std::pair<std::string, double>>;

// `inputs`: the training data as the model sees it.
Direction direction_of(const SavedModel& saved, const Dataset& inputs);

// 1 for the same direction; features that one of them lacks count as 0 there.
double cosine(const Direction& a, const Direction& b);

inline constexpr double kSameDirection = 0.99;

// Groups of two or more systems that point the same way in every fold. directions: [system][fold],
// empty where there is none: such a system is in no group.
std::vector<std::vector<std::size_t>> same_directions(
    const std::vector<std::vector<Direction>>& directions);

}  // namespace podium

// --pointwise: squared error beside a learner's loss.
#pragma once

#include <string>

#include "podium/learner.h"

namespace podium {

// The loss with `weight` times the learner's pointwise term. Usage error where there is no loss to
// add to, and where the loss is that term already: a factor before the whole loss changes nothing.
std::string with_pointwise_term(const std::string& loss, double weight, const Learner& learner,
                                const std::string& learner_name);

}  // namespace podium

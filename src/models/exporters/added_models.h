// Sums of models in terms of the data's features: forests without links add up to one forest,
// linear models to one linear model. Other sums stay blends whose members all take the same inputs.
#pragma once

#include <vector>

#include "models/exporters/portable_model.h"

namespace podium {

struct MemberSum {
  double factor;
  PortableModel model;
};

// `blend` provides the name of the learner and the features.
PortableModel added_up(PortableModel blend, const std::vector<MemberSum>& members);

// A member of such a blend, for writers.
PortableModel member_model(const BlendMember& member);

}  // namespace podium

// About how much memory training takes in addition to its data: what grows with rows × columns, or
// with the weights of a network. It is for a word before the work begins, not for decisions.
#pragma once

#include <cstdint>
#include <string_view>

#include "podium/context.h"
#include "podium/dataset.h"
#include "podium/options.h"

namespace podium {

// In bytes, for a learner of the catalogue.
std::uint64_t memory_estimate(std::string_view learner, const Settings& settings,
                              const Dataset& train);

// Tells the observer where that is more than a gigabyte: "mlp with 1000000 inputs and layers of
// 32,16: about 3.1 GB of memory in addition to the data".
void note_memory(std::string_view learner, const Settings& settings, const Dataset& train,
                 Observer& observer);

}  // namespace podium

// Weights that are all equal say nothing: only ratios of weights count. They are dropped before a
// model is trained, so that the weights 3, 3, … and none give the same model, bit for bit.
#pragma once

#include "podium/communicator.h"
#include "podium/dataset.h"

namespace podium {

// Without the weights of queries if all are equal and positive, and without those of documents if
// all are 1: other common weights of documents count beside the weights of preference pairs.
// Collective: all ranks must call it.
Dataset without_equal_weights(const Dataset& data, Communicator& comm);

}  // namespace podium

// How learners estimate the memory that training needs (Learner::memory_need), and the note about
// it. The constants are next to the trainers; they were measured as peak memory of training with a
// million columns, minus the data.
#pragma once

#include <string_view>

#include "podium/learner.h"

namespace podium {

// The bytes that a trainer keeps: per input (states of the solver, planes, pairs of L-BFGS), per
// input and query, and per value of the data (bins, codes, columns).
struct KeptBytes {
  double per_input = 64;
  double per_input_and_query = 0;
  double per_dense_value = 0, per_sparse_value = 0;
};
MemoryNeed memory_for(const KeptBytes& kept, const Dataset& train);

// Adds a note if training needs more than a gigabyte: "mlp with 1000000 inputs and layers of 32,16:
// about 3.1 GB of memory in addition to the data".
void note_memory(std::string_view name, const Learner& learner, const Dataset& train,
                 Observer& observer);

}  // namespace podium

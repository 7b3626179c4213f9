// How learners estimate the memory that their training takes (Learner::memory_need), and the note
// about it. The figures stand beside the trainers; they are measured: peak memory of trainings on a
// million columns, less the data.
#pragma once

#include <string_view>

#include "podium/learner.h"

namespace podium {

// What a trainer keeps, in bytes: for each input (states of the solver, planes, pairs of L-BFGS),
// for each input and query, and for each value of the data (bins, codes, columns).
struct KeptBytes {
  double per_input = 64;
  double per_input_and_query = 0;
  double per_dense_value = 0, per_sparse_value = 0;
};
MemoryNeed memory_for(const KeptBytes& kept, const Dataset& train);

// Tells the observer where a training takes more than a gigabyte: "mlp with 1000000 inputs and
// layers of 32,16: about 3.1 GB of memory in addition to the data".
void note_memory(std::string_view name, const Learner& learner, const Dataset& train,
                 Observer& observer);

}  // namespace podium

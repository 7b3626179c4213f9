// One query's documents in the order of their scores, in a block's memory: shared, or for long
// lists global. Arrays are by rank.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/both.h"

namespace podium {

struct RankedList {
  std::uint64_t documents = 0;
  double* score = nullptr;  // times σ
  double* power = nullptr;  // e^{σ(s − c)}
  double* term = nullptr;   // WeightForm
  double *first = nullptr, *second = nullptr;
  double* force = nullptr;                // of each pivot's pairs
  double *up = nullptr, *down = nullptr;  // of average_precision
  float *grade = nullptr, *weight = nullptr;
  std::uint32_t* row = nullptr;

  static constexpr std::size_t kBytes = 8 * sizeof(double) + 2 * sizeof(float) + 4;

  // In memory for `room` documents, an even number.
  PODIUM_BOTH static RankedList in(std::byte* memory, std::uint64_t room, std::uint64_t documents) {
    RankedList list;
    list.documents = documents;
    auto* const doubles = reinterpret_cast<double*>(memory);
    list.score = doubles;
    list.power = doubles + room;
    list.term = doubles + 2 * room;
    list.first = doubles + 3 * room;
    list.second = doubles + 4 * room;
    list.force = doubles + 5 * room;
    list.up = doubles + 6 * room;
    list.down = doubles + 7 * room;
    auto* const floats = reinterpret_cast<float*>(doubles + 8 * room);
    list.grade = floats;
    list.weight = floats + room;
    list.row = reinterpret_cast<std::uint32_t*>(floats + 2 * room);
    return list;
  }
};

}  // namespace podium

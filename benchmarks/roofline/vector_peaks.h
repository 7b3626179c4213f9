// The vectorised loops of machine_peaks.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace podium {

// Reads every byte; the result only keeps the compiler from removing the loop. The size must be a
// multiple of 512 bytes.
std::uint64_t read_words(const std::uint64_t* words, std::size_t count);

// Each runs `rounds` rounds of kPeakChains vectors and returns the number of operations.
inline constexpr std::size_t kPeakChains = 12;
struct PeakRun {
  double operations;
  double result;
};
PeakRun multiply_add(std::size_t rounds);
PeakRun multiply_and_add(std::size_t rounds);
PeakRun divide(std::size_t rounds);
// Compares floats in the nearest cache with a number, and clears bits of a word where they are
// above, as forests do: the operations are floats.
PeakRun test_values(std::size_t rounds);

std::string_view vector_peaks_target();

}  // namespace podium

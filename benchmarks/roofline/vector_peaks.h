// The loops of machine_peaks.h that are written in vectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace podium {

// Reads every byte; the result only keeps the compiler from leaving it out. A multiple of 512
// bytes.
std::uint64_t read_words(const std::uint64_t* words, std::size_t count);

// Each does `rounds` rounds of kPeakChains vectors and says how many operations that were.
inline constexpr std::size_t kPeakChains = 12;
struct PeakRun {
  double operations;
  double result;
};
PeakRun multiply_add(std::size_t rounds);
PeakRun multiply_and_add(std::size_t rounds);
PeakRun divide(std::size_t rounds);
// Floats of the nearest cache compared with a number, and a word of bits cleared where they are
// above, as forests do: the operations are floats.
PeakRun test_values(std::size_t rounds);

std::string_view vector_peaks_target();

}  // namespace podium

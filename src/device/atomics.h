// Atomic operations of kernels on shared and global memory. On the host, blocks and threads run one
// after another, so plain operations do. All of them are commutative: the results do not depend on
// the order.
#pragma once

#include <cstdint>

#include "device/both.h"

namespace podium {

// Returns the value before.
PODIUM_BOTH inline std::uint32_t add_atomically(std::uint32_t* at, std::uint32_t value) {
#if defined(__CUDA_ARCH__)
  return atomicAdd(at, value);
#else
  const std::uint32_t before = *at;
  *at = before + value;
  return before;
#endif
}

PODIUM_BOTH inline void add_atomically(std::uint64_t* at, std::uint64_t value) {
#if defined(__CUDA_ARCH__)
  static_assert(sizeof(unsigned long long) == sizeof(std::uint64_t));
  atomicAdd(reinterpret_cast<unsigned long long*>(at), static_cast<unsigned long long>(value));
#else
  *at += value;
#endif
}

// Two's complement: the same bits as an addition of unsigned numbers.
PODIUM_BOTH inline void add_atomically(std::int64_t* at, std::int64_t value) {
  add_atomically(reinterpret_cast<std::uint64_t*>(at), static_cast<std::uint64_t>(value));
}

PODIUM_BOTH inline void raise_atomically(std::uint64_t* at, std::uint64_t value) {
#if defined(__CUDA_ARCH__)
  atomicMax(reinterpret_cast<unsigned long long*>(at), static_cast<unsigned long long>(value));
#else
  if (*at < value) *at = value;
#endif
}

PODIUM_BOTH inline void lower_atomically(std::uint64_t* at, std::uint64_t value) {
#if defined(__CUDA_ARCH__)
  atomicMin(reinterpret_cast<unsigned long long*>(at), static_cast<unsigned long long>(value));
#else
  if (value < *at) *at = value;
#endif
}

// The bits of a number. Those of numbers that are not negative have the order of the numbers.
PODIUM_BOTH inline std::uint64_t bits_of(double x) {
  std::uint64_t bits = 0;
  static_assert(sizeof bits == sizeof x);
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}
PODIUM_BOTH inline double number_of(std::uint64_t bits) {
  double x = 0;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

}  // namespace podium

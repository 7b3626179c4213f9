// Functions and tables for both sides: compiled for the host by every compiler, and for GPUs by
// nvcc. No CUDA words elsewhere in headers that host code includes.
#pragma once

#if defined(__CUDACC__)
#define PODIUM_BOTH __host__ __device__
#define PODIUM_BOTH_TABLE static __device__ constexpr
#else
#define PODIUM_BOTH
#define PODIUM_BOTH_TABLE inline constexpr
#endif

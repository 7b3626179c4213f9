// Functions for both sides: compiled for the host by every compiler, and for GPUs by nvcc. No CUDA
// words elsewhere in headers that host code includes.
#pragma once

#if defined(__CUDACC__)
#define PODIUM_BOTH __host__ __device__
#else
#define PODIUM_BOTH
#endif

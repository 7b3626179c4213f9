// All kernels for GPUs. Compiled by nvcc alone, with the headers that the host uses, too
// (cmake/gpu.cmake).
#include "device/cuda_block.cuh"
#include "gpu/kernel_list.h"

PODIUM_KERNELS(PODIUM_CUDA_KERNEL)

// A block on a GPU: kernel.h says what it offers. Only for nvcc.
#pragma once

#include "device/kernel.h"

namespace podium {

extern __shared__ __align__(16) unsigned char podium_shared_memory[];

// nvcc also compiles kernels for the host, where they are never called: hence the two sides.
template <unsigned kThreads>
class CudaBlock {
 public:
  template <class T>
  class PerThread {
   public:
    PODIUM_BOTH T& operator[](unsigned) { return value_; }

   private:
    T value_ = {};
  };

#if defined(__CUDA_ARCH__)
  PODIUM_BOTH std::uint32_t index() const { return blockIdx.x; }
  PODIUM_BOTH std::uint32_t blocks() const { return gridDim.x; }
  template <class T>
  PODIUM_BOTH T* shared(std::size_t offset = 0) const {
    return reinterpret_cast<T*>(podium_shared_memory + offset);
  }
  template <class Body>
  PODIUM_BOTH void each(Body&& body) const {
    body(threadIdx.x);
    __syncthreads();
  }
  PODIUM_BOTH void sync() const { __syncthreads(); }
  PODIUM_BOTH void fence() const { __threadfence(); }
#else
  PODIUM_BOTH std::uint32_t index() const { return 0; }
  PODIUM_BOTH std::uint32_t blocks() const { return 0; }
  template <class T>
  PODIUM_BOTH T* shared(std::size_t = 0) const {
    return nullptr;
  }
  template <class Body>
  PODIUM_BOTH void each(Body&& body) const {
    body(0);
  }
  PODIUM_BOTH void sync() const {}
  PODIUM_BOTH void fence() const {}
#endif
};

}  // namespace podium

namespace podium {

// Blocks that a multiprocessor is to hold at once: limits the registers of a thread.
template <class Kernel>
constexpr unsigned kBlocksAtOnce = 1;
template <class Kernel>
  requires requires { Kernel::kBlocksAtOnce; }
constexpr unsigned kBlocksAtOnce<Kernel> = Kernel::kBlocksAtOnce;

}  // namespace podium

// The entry of a kernel in the GPU's code.
#define PODIUM_CUDA_KERNEL(name, Kernel)                                                \
  extern "C" __global__ void __launch_bounds__(podium::Kernel::kThreads,                \
                                               podium::kBlocksAtOnce<podium::Kernel>)   \
      name(const podium::Kernel::Args args) {                                           \
    podium::CudaBlock<podium::Kernel::kThreads> block;                                  \
    podium::Kernel::run(block, args);                                                   \
  }

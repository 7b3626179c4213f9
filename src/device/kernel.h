// Kernels, written once and run by GPUs and by the CPU.
//
// A kernel is a function of its arguments for one block of threads:
//
//   struct SquareArgs { const double* in; double* out; std::size_t count; };
//   struct Square {
//     static constexpr unsigned kThreads = 256;
//     using Args = SquareArgs;
//     template <class Block>
//     PODIUM_BOTH static void run(Block& block, const Args& args) {
//       block.each([&](unsigned thread) {
//         const std::size_t i = block.index() * std::size_t{kThreads} + thread;
//         if (i < args.count) args.out[i] = args.in[i] * args.in[i];
//       });
//     }
//   };
//
// block.each(body) runs body(thread) for every thread of the block, and then waits for all of them:
// on a GPU it is the code of one thread and a barrier, on the host a loop. So what threads tell
// each other goes through shared() memory between two calls of each(), and what a thread remembers
// from one call to the next is in a Block::PerThread. Everything outside each() is computed by
// every thread alike, from arguments and from shared memory that no thread is changing;
// block.sync() separates reading there from a following each() that writes. block.fence() orders a
// thread's writes to the device's memory for threads of other blocks: is_last_block() needs it.
//
// Which block or thread comes first must not matter: HostBlock can run them backwards, and tests
// do. Arithmetic on doubles is IEEE on both sides, because nothing is fused (-fmad=false there,
// -ffp-contract=off here) and only +, −, ×, ÷ and √ are used.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>

#include "device/atomics.h"
#include "device/both.h"

namespace podium {

// Bytes that the shared memory of a block may have on every GPU.
constexpr std::size_t kMostShared = 48 * 1024;

// The order in which the host runs threads and blocks.
enum class RunOrder : std::uint8_t { forwards, backwards };

// A block on the host.
template <unsigned kThreads>
class HostBlock {
 public:
  HostBlock(std::uint32_t index, std::uint32_t blocks, std::byte* shared, RunOrder order)
      : index_(index), blocks_(blocks), shared_(shared), order_(order) {}

  template <class T>
  class PerThread {
   public:
    T& operator[](unsigned thread) { return values_[thread]; }

   private:
    std::array<T, kThreads> values_ = {};
  };

  std::uint32_t index() const { return index_; }
  std::uint32_t blocks() const { return blocks_; }
  template <class T>
  T* shared(std::size_t offset = 0) const {
    return reinterpret_cast<T*>(shared_ + offset);
  }
  template <class Body>
  void each(Body&& body) const {
    for (unsigned thread = 0; thread < kThreads; ++thread)
      body(order_ == RunOrder::forwards ? thread : kThreads - 1 - thread);
  }
  void sync() const {}
  void fence() const {}

 private:
  std::uint32_t index_, blocks_;
  std::byte* shared_;
  RunOrder order_;
};

// Whether all other blocks of the kernel have come here before: true in one block, for all its
// threads, which then see what the others wrote. So the last block can put together what all have
// found. `come`: in the device's memory, 0 before the kernel and after it; `flag`: shared.
template <class Block>
PODIUM_BOTH bool is_last_block(Block& block, std::uint32_t* come, std::uint32_t* flag) {
  block.each([&](unsigned thread) {
    if (thread != 0) return;
    block.fence();
    const bool is_last = add_atomically(come, 1U) + 1 == block.blocks();
    block.fence();
    if (is_last) *come = 0;
    *flag = is_last ? 1 : 0;
  });
  return *flag != 0;
}

// What a device needs to start a kernel.
struct KernelEntry {
  const char* name;  // in the GPU's code
  unsigned threads;
  std::size_t args_bytes;
  void (*on_host)(const void* args, std::uint32_t index, std::uint32_t blocks, std::byte* shared,
                  RunOrder order);
};

template <class Kernel>
void run_on_host(const void* args, std::uint32_t index, std::uint32_t blocks, std::byte* shared,
                 RunOrder order) {
  HostBlock<Kernel::kThreads> block(index, blocks, shared, order);
  Kernel::run(block, *static_cast<const typename Kernel::Args*>(args));
}

// kernel_entry<Square>("square")
template <class Kernel>
constexpr KernelEntry kernel_entry(const char* name) {
  return {name, Kernel::kThreads, sizeof(typename Kernel::Args), run_on_host<Kernel>};
}

}  // namespace podium

// A device with its own memory, and the queue of what it is to do. Everything happens in the order
// of the calls; only download() and wait() wait for it.
//
// Two implementations: a GPU behind its driver (cuda_queue.cc), and the CPU in one thread
// (host_queue.cc), which runs the same kernels for tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>

#include "device/kernel.h"
#include "podium/context.h"
#include "podium/device.h"
#include "podium/work_profile.h"

namespace podium {

class DeviceQueue {
 public:
  virtual ~DeviceQueue() = default;

  // Throws an Error with the bytes asked for and free, if they do not fit.
  virtual void* allocate(std::size_t bytes) = 0;
  virtual void release(void* memory) noexcept = 0;

  // Of the host, for PinnedArray.
  virtual void* allocate_pinned(std::size_t bytes) = 0;
  virtual void release_pinned(void* memory) noexcept = 0;

  // `from` may change as soon as the call returns, unless it is pinned.
  virtual void upload(void* to, const void* from, std::size_t bytes) = 0;
  virtual void download(void* to, const void* from, std::size_t bytes) = 0;
  virtual void copy(void* to, const void* from, std::size_t bytes) = 0;
  virtual void fill(void* to, std::uint8_t value, std::size_t bytes) = 0;
  virtual void launch(const KernelEntry& kernel, std::uint32_t blocks, std::size_t shared_bytes,
                      const void* args) = 0;
  virtual void wait() = 0;

  // How many blocks keep the device busy, if a multiprocessor holds so many at once.
  virtual std::uint32_t busy_blocks(std::uint32_t per_multiprocessor = 4) const = 0;
  // Taken and not yet released, and the most so far.
  virtual std::uint64_t bytes() const = 0;
  virtual std::uint64_t most_bytes() const = 0;
  // That can still be taken, by whomever.
  virtual std::uint64_t free_bytes() const = 0;

  // From now on the profile, which must outlive the queue, gets the time of each operation. A
  // device that is the CPU has nothing to tell it.
  virtual void measure(WorkProfile&) {}

  // As many blocks as are asked for, which may be none.
  template <class Kernel>
  void run(std::uint32_t blocks, const typename Kernel::Args& args, std::size_t shared_bytes = 0) {
    static_assert(std::is_trivially_copyable_v<typename Kernel::Args>);
    static constexpr KernelEntry kEntry = kernel_entry<Kernel>(Kernel::kName);
    if (blocks > 0) launch(kEntry, blocks, shared_bytes, &args);
  }
  // One thread per item.
  template <class Kernel>
  void run_each(std::size_t items, const typename Kernel::Args& args) {
    run<Kernel>(static_cast<std::uint32_t>((items + Kernel::kThreads - 1) / Kernel::kThreads),
                args);
  }
};

// Throws a usage Error for the CPU, which has no queue, and where choose_device() would.
std::unique_ptr<DeviceQueue> open_device(const Device& device);
// The device of the context, measured if its pool has a profile.
std::unique_ptr<DeviceQueue> open_device(const Context& context);

// For open_device() and tests.
std::unique_ptr<DeviceQueue> open_host_queue(RunOrder order);
std::unique_ptr<DeviceQueue> open_cuda_queue(int number);

}  // namespace podium

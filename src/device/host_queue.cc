// The CPU as a device with its own memory, in one thread. What no kernel may rely on is made to
// fail: memory is not cleared, shared memory is full of noise before each block, and blocks and
// threads run in a chosen order.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <unordered_map>
#include <vector>

#include "device/device_queue.h"

namespace podium {
namespace {

constexpr int kNoise = 0xA5;
constexpr std::uint32_t kHostMultiprocessors = 2;             // that it seems to have
constexpr std::uint64_t kHostBytes = std::uint64_t{1} << 33;  // that it seems to have

class HostQueue final : public DeviceQueue {
 public:
  explicit HostQueue(RunOrder order) : order_(order), shared_(kMostShared) {}

  void* allocate(std::size_t bytes) override {
    void* const memory = ::operator new (bytes, std::align_val_t{kAlignment});
    std::memset(memory, kNoise, bytes);
    sizes_.emplace(memory, bytes);
    bytes_ += bytes;
    most_ = std::max(most_, bytes_);
    return memory;
  }
  void release(void* memory) noexcept override {
    const auto at = sizes_.find(memory);
    bytes_ -= at->second;
    sizes_.erase(at);
    ::operator delete (memory, std::align_val_t{kAlignment});
  }
  void* allocate_pinned(std::size_t bytes) override { return ::operator new(bytes); }
  void release_pinned(void* memory) noexcept override { ::operator delete(memory); }
  void upload(void* to, const void* from, std::size_t bytes) override {
    if (bytes > 0) std::memcpy(to, from, bytes);
  }
  void download(void* to, const void* from, std::size_t bytes) override {
    if (bytes > 0) std::memcpy(to, from, bytes);
  }
  void copy(void* to, const void* from, std::size_t bytes) override {
    if (bytes > 0) std::memmove(to, from, bytes);
  }
  void fill(void* to, std::uint8_t value, std::size_t bytes) override {
    if (bytes > 0) std::memset(to, value, bytes);
  }
  void launch(const KernelEntry& kernel, std::uint32_t blocks, std::size_t shared_bytes,
              const void* args) override {
    for (std::uint32_t i = 0; i < blocks; ++i) {
      std::memset(shared_.data(), kNoise, shared_bytes);
      const std::uint32_t block = order_ == RunOrder::forwards ? i : blocks - 1 - i;
      kernel.on_host(args, block, blocks, shared_.data(), order_);
    }
  }
  void wait() override {}
  std::uint32_t busy_blocks(std::uint32_t per_multiprocessor) const override {
    return kHostMultiprocessors * per_multiprocessor;
  }
  std::uint64_t bytes() const override { return bytes_; }
  std::uint64_t most_bytes() const override { return most_; }
  std::uint64_t free_bytes() const override { return kHostBytes; }

 private:
  static constexpr std::size_t kAlignment = 64;

  RunOrder order_;
  std::vector<std::byte> shared_;
  std::unordered_map<void*, std::size_t> sizes_;
  std::uint64_t bytes_ = 0, most_ = 0;
};

}  // namespace

std::unique_ptr<DeviceQueue> open_host_queue(RunOrder order) {
  return std::make_unique<HostQueue>(order);
}

}  // namespace podium

// A GPU. Memory is taken from the driver in pieces, which is slow, so whoever trains takes it once.
// The driver's context belongs to threads, so every call makes it current: several trainings may
// run in threads of one process.
#include <algorithm>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "device/cuda_clock.h"
#include "device/cuda_gpu.h"
#include "device/device_queue.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr unsigned kNonBlocking = 1;  // CU_STREAM_NON_BLOCKING

class CudaQueue final : public DeviceQueue {
 public:
  explicit CudaQueue(int number) : gpu_(share_gpu(number)), driver_(gpu_->driver()) {
    gpu_->use();
    driver_.require(driver_.create_stream(&stream_, kNonBlocking), "opening it");
  }
  ~CudaQueue() override {
    if (!try_to_use()) return;
    if (driver_.wait_stream(stream_) == CudaDriver::kSuccess && clock_) collect_last();
    clock_.reset();
    driver_.destroy_stream(stream_);
  }
  CudaQueue(const CudaQueue&) = delete;
  CudaQueue& operator=(const CudaQueue&) = delete;

  void* allocate(std::size_t bytes) override {
    use();
    CudaDriver::Pointer memory = 0;
    const auto result = driver_.allocate(&memory, bytes);
    if (result == CudaDriver::kOutOfMemory) throw too_large(bytes);
    driver_.require(result, "taking memory");
    void* const pointer = reinterpret_cast<void*>(memory);
    sizes_.emplace(pointer, bytes);
    bytes_ += bytes;
    most_ = std::max(most_, bytes_);
    return pointer;
  }
  void release(void* memory) noexcept override {
    // An error is that of an earlier kernel, which is known by then.
    if (!try_to_use()) return;
    driver_.release(address(memory));
    const auto at = sizes_.find(memory);
    bytes_ -= at->second;
    sizes_.erase(at);
  }
  void* allocate_pinned(std::size_t bytes) override {
    use();
    void* memory = nullptr;
    driver_.require(driver_.allocate_pinned(&memory, bytes), "taking memory of the host");
    return memory;
  }
  void release_pinned(void* memory) noexcept override {
    if (!try_to_use()) return;
    driver_.wait_stream(stream_);
    driver_.release_pinned(memory);
  }
  void upload(void* to, const void* from, std::size_t bytes) override {
    if (bytes == 0) return;
    timed("copy to the GPU", bytes, [&] {
      driver_.require(driver_.to_device(address(to), from, bytes, stream_), "copying to it");
    });
  }
  void download(void* to, const void* from, std::size_t bytes) override {
    if (bytes == 0) return wait();
    timed("copy from the GPU", bytes, [&] {
      driver_.require(driver_.to_host(to, address(from), bytes, stream_), "copying from it");
    });
    wait();
  }
  void copy(void* to, const void* from, std::size_t bytes) override {
    if (bytes == 0) return;
    timed("copy on the GPU", bytes, [&] {
      driver_.require(driver_.in_device(address(to), address(from), bytes, stream_), "copying");
    });
  }
  void fill(void* to, std::uint8_t value, std::size_t bytes) override {
    if (bytes == 0) return;
    timed("clear", bytes, [&] {
      driver_.require(driver_.fill(address(to), value, bytes, stream_), "clearing memory");
    });
  }
  void launch(const KernelEntry& kernel, std::uint32_t blocks, std::size_t shared_bytes,
              const void* args) override {
    void* parameters[] = {const_cast<void*>(args)};
    timed(kernel.name, 0, [&] {
      driver_.require(
          driver_.launch(function(kernel), blocks, 1, 1, kernel.threads, 1, 1,
                         static_cast<unsigned>(shared_bytes), stream_, parameters, nullptr),
          kernel.name);
    });
  }
  void wait() override {
    use();
    driver_.require(driver_.wait_stream(stream_), "waiting for it");
    if (clock_) clock_->collect();
  }
  void measure(WorkProfile& profile) override {
    use();
    clock_.emplace(driver_, profile);
  }
  std::uint32_t busy_blocks(std::uint32_t per_multiprocessor) const override {
    return gpu_->multiprocessors() * per_multiprocessor;
  }
  std::uint64_t bytes() const override { return bytes_; }
  std::uint64_t most_bytes() const override { return most_; }
  std::uint64_t free_bytes() const override {
    use();
    std::size_t free = 0, all = 0;
    driver_.require(driver_.memory_info(&free, &all), "asking for its memory");
    return free;
  }

 private:
  static CudaDriver::Pointer address(const void* memory) {
    return reinterpret_cast<CudaDriver::Pointer>(memory);
  }
  void use() const { gpu_->use(); }
  void collect_last() noexcept {
    try {
      clock_->collect();
    } catch (const Error&) {  // of a driver that fails at the end: the profile lacks the last times
      clock_.reset();
    }
  }
  bool try_to_use() const noexcept {
    try {
      use();
      return true;
    } catch (const Error&) {
      return false;
    }
  }

  template <class Operation>
  void timed(const char* name, std::size_t bytes, Operation&& operation) {
    use();
    if (clock_) clock_->begin(name, bytes, stream_);
    operation();
    if (clock_) clock_->end(stream_);
  }

  CudaDriver::Handle function(const KernelEntry& kernel) {
    CudaDriver::Handle& function = functions_[kernel.name];
    if (!function)
      driver_.require(driver_.get_function(&function, gpu_->module(), kernel.name), kernel.name);
    return function;
  }

  Error too_large(std::size_t bytes) const {
    constexpr double kGibibyte = 1 << 30;
    std::size_t free = 0, all = 0;
    driver_.require(driver_.memory_info(&free, &all), "asking for its memory");
    return {
        ErrorCode::device,
        fmt::format("the GPU has too little memory: {:.2f} GiB are needed beside {:.2f} GiB in "
                    "use, and {:.2f} of {:.2f} GiB are free; use ‹device cpu›",
                    static_cast<double>(bytes) / kGibibyte, static_cast<double>(bytes_) / kGibibyte,
                    static_cast<double>(free) / kGibibyte, static_cast<double>(all) / kGibibyte)};
  }

  std::shared_ptr<const CudaGpu> gpu_;
  const CudaDriver& driver_;
  CudaDriver::Handle stream_ = nullptr;
  std::optional<CudaClock> clock_;
  std::unordered_map<const char*, CudaDriver::Handle> functions_;
  std::unordered_map<void*, std::size_t> sizes_;
  std::uint64_t bytes_ = 0, most_ = 0;
};

}  // namespace

std::unique_ptr<DeviceQueue> open_cuda_queue(int number) {
  return std::make_unique<CudaQueue>(number);
}

}  // namespace podium

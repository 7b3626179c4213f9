// A GPU. Memory is taken from the driver in pieces, which is slow, so whoever trains takes it once.
// The driver's context belongs to threads, so every call makes it current: several trainings may
// run in threads of one process.
#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "device/cuda_driver.h"
#include "device/device_queue.h"
#include "device/gpu_code.h"
#include "podium/error.h"
#include "podium/gpu.h"

namespace podium {
namespace {

constexpr std::uint32_t kBlocksAMultiprocessor = 4;
constexpr unsigned kNonBlocking = 1;  // CU_STREAM_NON_BLOCKING

class CudaQueue final : public DeviceQueue {
 public:
  CudaQueue(const CudaDriver& driver, int number) : driver_(driver) {
    driver_.require(driver_.device_get(&device_, number), "opening it");
    driver_.require(driver_.retain_context(&context_, device_), "opening it");
    try {
      use();
      int multiprocessors = 0;
      driver_.require(
          driver_.device_attribute(&multiprocessors, CudaDriver::kMultiprocessors, device_),
          "opening it");
      blocks_ = static_cast<std::uint32_t>(multiprocessors) * kBlocksAMultiprocessor;
      driver_.require(driver_.load_module(&module_, gpu_code().data()), "loading the kernels");
      driver_.require(driver_.create_stream(&stream_, kNonBlocking), "opening it");
    } catch (const Error&) {
      close();
      throw;
    }
  }
  ~CudaQueue() override { close(); }
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
    driver_.set_context(context_);
    driver_.release(address(memory));  // an error of an earlier kernel, which is known by then
    const auto at = sizes_.find(memory);
    bytes_ -= at->second;
    sizes_.erase(at);
  }
  void upload(void* to, const void* from, std::size_t bytes) override {
    use();
    driver_.require(driver_.to_device(address(to), from, bytes, stream_), "copying to it");
  }
  void download(void* to, const void* from, std::size_t bytes) override {
    use();
    driver_.require(driver_.to_host(to, address(from), bytes, stream_), "copying from it");
    wait();
  }
  void copy(void* to, const void* from, std::size_t bytes) override {
    use();
    driver_.require(driver_.in_device(address(to), address(from), bytes, stream_), "copying");
  }
  void fill(void* to, std::uint8_t value, std::size_t bytes) override {
    use();
    driver_.require(driver_.fill(address(to), value, bytes, stream_), "clearing memory");
  }
  void launch(const KernelEntry& kernel, std::uint32_t blocks, std::size_t shared_bytes,
              const void* args) override {
    use();
    void* parameters[] = {const_cast<void*>(args)};
    driver_.require(
        driver_.launch(function(kernel), blocks, 1, 1, kernel.threads, 1, 1,
                       static_cast<unsigned>(shared_bytes), stream_, parameters, nullptr),
        kernel.name);
  }
  void wait() override {
    use();
    driver_.require(driver_.wait_stream(stream_), "waiting for it");
  }
  std::uint32_t busy_blocks() const override { return blocks_; }
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
  void use() const { driver_.require(driver_.set_context(context_), "opening it"); }

  CudaDriver::Handle function(const KernelEntry& kernel) {
    CudaDriver::Handle& function = functions_[kernel.name];
    if (!function)
      driver_.require(driver_.get_function(&function, module_, kernel.name), kernel.name);
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

  void close() noexcept {
    driver_.set_context(context_);
    if (stream_) driver_.destroy_stream(stream_);
    if (module_) driver_.unload_module(module_);
    driver_.release_context(device_);
  }

  const CudaDriver& driver_;
  int device_ = 0;
  CudaDriver::Handle context_ = nullptr, module_ = nullptr, stream_ = nullptr;
  std::uint32_t blocks_ = 1;
  std::unordered_map<const char*, CudaDriver::Handle> functions_;
  std::unordered_map<void*, std::size_t> sizes_;
  std::uint64_t bytes_ = 0, most_ = 0;
};

}  // namespace

std::unique_ptr<DeviceQueue> open_cuda_queue(int number) {
  std::string why;
  const CudaDriver* const driver = cuda_driver(why);
  if (!driver) throw Error(ErrorCode::usage, fmt::format("‹device cuda›: {}", why));
  return std::make_unique<CudaQueue>(*driver, number);
}

}  // namespace podium

#include "device/cuda_gpu.h"

#include <map>
#include <mutex>
#include <string>

#include <fmt/format.h>

#include "device/gpu_code.h"
#include "podium/error.h"

namespace podium {

CudaGpu::CudaGpu(const CudaDriver& driver, int number) : driver_(driver) {
  driver_.require(driver_.device_get(&device_, number), "opening it");
  unsigned flags = 0;
  int in_use = 0;
  driver_.require(driver_.context_state(device_, &flags, &in_use), "opening it");
  driver_.require(driver_.retain_context(&context_, device_), "opening it");
  try {
    use();
    // The driver keeps room for the stacks of as many threads as the GPU can hold: by default
    // hundreds of megabytes, of which no kernel here needs any. Where one did, the driver would
    // make more. It only saves memory, so a driver that refuses may; and where another library of
    // the process uses the GPU, its limits stay.
    if (!in_use) driver_.set_limit(CudaDriver::kStackBytes, 0);
    int multiprocessors = 0;
    driver_.require(
        driver_.device_attribute(&multiprocessors, CudaDriver::kMultiprocessors, device_),
        "opening it");
    multiprocessors_ = static_cast<std::uint32_t>(multiprocessors);
    driver_.require(driver_.load_module(&module_, gpu_code().data()), "loading the kernels");
  } catch (const Error&) {
    close();
    throw;
  }
}

CudaGpu::~CudaGpu() {
  close();
}

void CudaGpu::close() noexcept {
  driver_.set_context(context_);
  if (module_) driver_.unload_module(module_);
  driver_.release_context(device_);
}

std::shared_ptr<const CudaGpu> share_gpu(int number) {
  static std::mutex mutex;
  static std::map<int, std::weak_ptr<const CudaGpu>> open;
  const std::lock_guard lock(mutex);
  if (auto gpu = open[number].lock()) return gpu;
  std::string why;
  const CudaDriver* const driver = cuda_driver(why);
  if (!driver) throw Error(ErrorCode::usage, fmt::format("‹device cuda›: {}", why));
  const auto gpu = std::make_shared<const CudaGpu>(*driver, number);
  open[number] = gpu;
  return gpu;
}

}  // namespace podium

// A GPU of this process: the driver's context, and the kernels in it. Opening one takes a quarter
// of a second, so all queues share it, and a DeviceStart (podium/gpu.h) opens it ahead of them.
#pragma once

#include <memory>

#include "device/cuda_driver.h"

namespace podium {

class CudaGpu {
 public:
  CudaGpu(const CudaDriver& driver, int number);
  ~CudaGpu();
  CudaGpu(const CudaGpu&) = delete;
  CudaGpu& operator=(const CudaGpu&) = delete;

  const CudaDriver& driver() const { return driver_; }
  CudaDriver::Handle module() const { return module_; }
  std::uint32_t multiprocessors() const { return multiprocessors_; }
  // Contexts belong to threads: makes this one's the calling thread's.
  void use() const { driver_.require(driver_.set_context(context_), "opening it"); }

 private:
  void close() noexcept;

  const CudaDriver& driver_;
  int device_ = 0;
  CudaDriver::Handle context_ = nullptr, module_ = nullptr;
  std::uint32_t multiprocessors_ = 1;
};

// The one that this process has open, or else a new one; waits while another thread opens it.
// Throws an Error if there is no driver.
std::shared_ptr<const CudaGpu> share_gpu(int number);

}  // namespace podium

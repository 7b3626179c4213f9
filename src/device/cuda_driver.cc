#include "device/cuda_driver.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "podium/error.h"

namespace podium {
namespace {

constexpr const char* kLibrary = "libcuda.so.1";

struct LoadedDriver {
  CudaDriver driver = {};
  std::string why_not;  // empty: it can be used

  template <class Function>
  void find(void* library, const char* name, Function& function) {
    void* const symbol = dlsym(library, name);
    if (!symbol && why_not.empty())
      why_not = fmt::format("the NVIDIA driver is too old: it has no {}", name);
    function = reinterpret_cast<Function>(symbol);
  }
};

LoadedDriver load() {
  LoadedDriver loaded;
  void* const library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    loaded.why_not = fmt::format("no NVIDIA driver was found ({})", kLibrary);
    return loaded;
  }
  CudaDriver& driver = loaded.driver;
  const auto find = [&](const char* name, auto& function) { loaded.find(library, name, function); };
  find("cuInit", driver.init);
  find("cuDriverGetVersion", driver.driver_version);
  find("cuDeviceGetCount", driver.device_count);
  find("cuDeviceGet", driver.device_get);
  find("cuDeviceGetName", driver.device_name);
  find("cuDeviceTotalMem_v2", driver.device_bytes);
  find("cuDeviceGetAttribute", driver.device_attribute);
  find("cuDevicePrimaryCtxGetState", driver.context_state);
  find("cuDevicePrimaryCtxRetain", driver.retain_context);
  find("cuDevicePrimaryCtxRelease_v2", driver.release_context);
  find("cuCtxSetCurrent", driver.set_context);
  find("cuCtxSetLimit", driver.set_limit);
  find("cuMemGetInfo_v2", driver.memory_info);
  find("cuModuleLoadData", driver.load_module);
  find("cuModuleUnload", driver.unload_module);
  find("cuModuleGetFunction", driver.get_function);
  find("cuStreamCreate", driver.create_stream);
  find("cuStreamDestroy_v2", driver.destroy_stream);
  find("cuStreamSynchronize", driver.wait_stream);
  find("cuEventCreate", driver.create_event);
  find("cuEventDestroy_v2", driver.destroy_event);
  find("cuEventRecord", driver.record_event);
  find("cuEventElapsedTime", driver.event_time);
  find("cuMemAlloc_v2", driver.allocate);
  find("cuMemFree_v2", driver.release);
  find("cuMemAllocHost_v2", driver.allocate_pinned);
  find("cuMemFreeHost", driver.release_pinned);
  find("cuMemcpyHtoDAsync_v2", driver.to_device);
  find("cuMemcpyDtoHAsync_v2", driver.to_host);
  find("cuMemcpyDtoDAsync_v2", driver.in_device);
  find("cuMemsetD8Async", driver.fill);
  find("cuLaunchKernel", driver.launch);
  find("cuGetErrorName", driver.error_name);
  find("cuGetErrorString", driver.error_text);
  if (!loaded.why_not.empty()) return loaded;
  if (const auto result = driver.init(0); result != CudaDriver::kSuccess)
    loaded.why_not = result == CudaDriver::kNoDevice
                         ? "no NVIDIA GPU was found"
                         : "the NVIDIA driver does not start: " + driver.describe(result);
  return loaded;
}

}  // namespace

std::string CudaDriver::describe(Result error) const {
  const char *name = nullptr, *text = nullptr;
  if (error_name(error, &name) != kSuccess || !name) return fmt::format("error {}", error);
  if (error_text(error, &text) != kSuccess || !text) return name;
  return fmt::format("{}: {}", name, text);
}

void CudaDriver::require(Result result, const char* what) const {
  if (result != kSuccess)
    throw Error(ErrorCode::device, fmt::format("GPU: {}: {}", what, describe(result)));
}

// Loaded once and kept: a driver cannot be unloaded.
const CudaDriver* cuda_driver(std::string& why) {
  static const LoadedDriver loaded = load();
  why = loaded.why_not;
  return loaded.why_not.empty() ? &loaded.driver : nullptr;
}

}  // namespace podium

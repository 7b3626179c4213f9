// A driver for GPUs that are not there: libcuda.so.1 for tests. It keeps "device" memory on the
// host and runs the kernels there, so that everything between Podium and the driver is tested:
// loading, names, arguments, sizes, errors. What it is to be like comes from the environment:
//
//   FAKE_GPUS=2            how many GPUs; 0: none
//   FAKE_CAPABILITY=90     of all of them, major · 10 + minor
//   FAKE_BYTES=1000000     of memory of each
//   FAKE_INIT=100          the result of cuInit
//   FAKE_IN_USE=1          another library of this process uses them
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "device/kernel.h"
#include "gpu/kernel_list.h"

namespace podium {
namespace {

constexpr int kSuccess = 0, kInvalidValue = 1, kOutOfMemory = 2, kNoDevice = 100, kNotFound = 500;
constexpr int kMultiprocessors = 16, kMajor = 75, kMinor = 76;

long setting(const char* name, long otherwise) {
  const char* const text = std::getenv(name);
  return text ? std::atol(text) : otherwise;
}

struct FakeDriver {
  std::mutex mutex;
  std::map<std::uint64_t, std::size_t> memory;
  std::size_t bytes = 0;
};
FakeDriver& driver() {
  static FakeDriver driver;
  return driver;
}
std::size_t all_bytes() {
  return static_cast<std::size_t>(setting("FAKE_BYTES", 1L << 32));
}

// Whether memory that was allocated contains the range.
bool is_allocated(std::uint64_t at, std::size_t bytes) {
  const std::lock_guard lock(driver().mutex);
  auto after = driver().memory.upper_bound(at);
  if (after == driver().memory.begin()) return false;
  --after;
  return at + bytes <= after->first + after->second;
}

const std::vector<KernelEntry>& kernels() {
#define PODIUM_ENTRY(name, Kernel) kernel_entry<Kernel>(#name),
  static const std::vector<KernelEntry> all = {PODIUM_KERNELS(PODIUM_ENTRY)};
#undef PODIUM_ENTRY
  return all;
}

}  // namespace
}  // namespace podium

using namespace podium;

extern "C" {

int cuInit(unsigned) {
  return static_cast<int>(setting("FAKE_INIT", kSuccess));
}
int cuDriverGetVersion(int* version) {
  *version = 13000;
  return kSuccess;
}
int cuDeviceGetCount(int* count) {
  *count = static_cast<int>(setting("FAKE_GPUS", 1));
  return kSuccess;
}
int cuDeviceGet(int* device, int number) {
  *device = number;
  return number < setting("FAKE_GPUS", 1) ? kSuccess : kNoDevice;
}
int cuDeviceGetName(char* name, int length, int device) {
  const std::string text = "Fake GPU " + std::to_string(device);
  std::strncpy(name, text.c_str(), static_cast<std::size_t>(length) - 1);
  return kSuccess;
}
int cuDeviceTotalMem_v2(std::size_t* bytes, int) {
  *bytes = all_bytes();
  return kSuccess;
}
int cuDeviceGetAttribute(int* value, int attribute, int) {
  const long capability = setting("FAKE_CAPABILITY", 90);
  *value = static_cast<int>(attribute == kMultiprocessors ? 3
                            : attribute == kMajor         ? capability / 10
                            : attribute == kMinor         ? capability % 10
                                                          : 0);
  return kSuccess;
}
int cuDevicePrimaryCtxGetState(int, unsigned* flags, int* active) {
  *flags = 0;
  *active = static_cast<int>(setting("FAKE_IN_USE", 0));
  return kSuccess;
}
int cuDevicePrimaryCtxRetain(void** context, int) {
  *context = &driver();
  return kSuccess;
}
int cuDevicePrimaryCtxRelease_v2(int) {
  return kSuccess;
}
int cuCtxSetCurrent(void* context) {
  return context == &driver() ? kSuccess : kInvalidValue;
}
// Not allowed where another library uses the GPU.
int cuCtxSetLimit(int limit, std::size_t) {
  if (setting("FAKE_IN_USE", 0) != 0) std::abort();
  return limit == 0 ? kSuccess : kInvalidValue;
}
int cuMemGetInfo_v2(std::size_t* free, std::size_t* all) {
  *all = all_bytes();
  *free = *all - driver().bytes;
  return kSuccess;
}
int cuModuleLoadData(void** module, const void* image) {
  *module = const_cast<void*>(image);
  return image ? kSuccess : kInvalidValue;
}
int cuModuleUnload(void*) {
  return kSuccess;
}
int cuModuleGetFunction(void** function, void*, const char* name) {
  for (const KernelEntry& kernel : kernels())
    if (std::string(kernel.name) == name) {
      *function = const_cast<KernelEntry*>(&kernel);
      return kSuccess;
    }
  return kNotFound;
}
int cuStreamCreate(void** stream, unsigned) {
  *stream = &driver();
  return kSuccess;
}
int cuStreamDestroy_v2(void*) {
  return kSuccess;
}
int cuStreamSynchronize(void*) {
  return kSuccess;
}
int cuEventCreate(void** event, unsigned) {
  *event = new bool(false);  // whether it was recorded
  return kSuccess;
}
int cuEventDestroy_v2(void* event) {
  delete static_cast<bool*>(event);
  return kSuccess;
}
int cuEventRecord(void* event, void*) {
  *static_cast<bool*>(event) = true;
  return kSuccess;
}
int cuEventElapsedTime(float* milliseconds, void* begin, void* end) {
  *milliseconds = 0.5F;
  return *static_cast<bool*>(begin) && *static_cast<bool*>(end) ? kSuccess : kInvalidValue;
}
int cuMemAllocHost_v2(void** memory, std::size_t bytes) {
  *memory = ::operator new(bytes);
  return bytes > 0 ? kSuccess : kInvalidValue;
}
int cuMemFreeHost(void* memory) {
  ::operator delete(memory);
  return kSuccess;
}
int cuMemAlloc_v2(std::uint64_t* memory, std::size_t bytes) {
  if (bytes == 0) return kInvalidValue;
  const std::lock_guard lock(driver().mutex);
  if (driver().bytes + bytes > all_bytes()) return kOutOfMemory;
  *memory = reinterpret_cast<std::uint64_t>(::operator new (bytes, std::align_val_t{256}));
  driver().memory[*memory] = bytes;
  driver().bytes += bytes;
  return kSuccess;
}
int cuMemFree_v2(std::uint64_t memory) {
  const std::lock_guard lock(driver().mutex);
  const auto at = driver().memory.find(memory);
  if (at == driver().memory.end()) return kInvalidValue;
  driver().bytes -= at->second;
  driver().memory.erase(at);
  ::operator delete (reinterpret_cast<void*>(memory), std::align_val_t{256});
  return kSuccess;
}
int cuMemcpyHtoDAsync_v2(std::uint64_t to, const void* from, std::size_t bytes, void*) {
  if (!is_allocated(to, bytes)) return kInvalidValue;
  std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  return kSuccess;
}
int cuMemcpyDtoHAsync_v2(void* to, std::uint64_t from, std::size_t bytes, void*) {
  if (!is_allocated(from, bytes)) return kInvalidValue;
  std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
  return kSuccess;
}
int cuMemcpyDtoDAsync_v2(std::uint64_t to, std::uint64_t from, std::size_t bytes, void*) {
  if (!is_allocated(to, bytes) || !is_allocated(from, bytes)) return kInvalidValue;
  std::memmove(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes);
  return kSuccess;
}
int cuMemsetD8Async(std::uint64_t to, unsigned char value, std::size_t bytes, void*) {
  if (!is_allocated(to, bytes)) return kInvalidValue;
  std::memset(reinterpret_cast<void*>(to), value, bytes);
  return kSuccess;
}
int cuLaunchKernel(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                   void*, void** arguments, void** extra) {
  const auto& kernel = *static_cast<const KernelEntry*>(function);
  if (grid_x == 0 || grid_y != 1 || grid_z != 1 || block_x != kernel.threads || block_y != 1 ||
      block_z != 1 || shared_bytes > kMostShared || extra)
    return kInvalidValue;
  std::vector<std::uint64_t> shared(shared_bytes / 8 + 1, 0x5A5A5A5A5A5A5A5A);
  for (unsigned block = 0; block < grid_x; ++block)
    kernel.on_host(arguments[0], block, grid_x, reinterpret_cast<std::byte*>(shared.data()),
                   RunOrder::backwards);
  return kSuccess;
}
int cuGetErrorName(int error, const char** name) {
  *name = error == kNoDevice ? "CUDA_ERROR_NO_DEVICE" : "CUDA_ERROR_OF_THE_FAKE";
  return kSuccess;
}
int cuGetErrorString(int, const char** text) {
  *text = "it is a fake";
  return kSuccess;
}

}  // extern "C"

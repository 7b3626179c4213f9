#include "podium/gpu.h"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <span>

#include <fmt/format.h>
#include <unistd.h>

#include "core/counted.h"
#include "device/cuda_driver.h"
#include "device/cuda_gpu.h"
#include "device/device_queue.h"
#include "device/gpu_code.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr const char* kNoCode = "this build has no GPU support";

Gpu describe_gpu(const CudaDriver& driver, int number) {
  Gpu gpu;
  gpu.number = number;
  int device = 0;
  driver.require(driver.device_get(&device, number), "describing it");
  std::array<char, 256> name = {};
  driver.require(driver.device_name(name.data(), static_cast<int>(name.size()), device),
                 "describing it");
  gpu.name = name.data();
  std::size_t bytes = 0;
  driver.require(driver.device_bytes(&bytes, device), "describing it");
  gpu.bytes = bytes;
  driver.require(driver.device_attribute(&gpu.major, CudaDriver::kMajor, device), "describing it");
  driver.require(driver.device_attribute(&gpu.minor, CudaDriver::kMinor, device), "describing it");
  const int oldest = gpu_code_oldest();
  if (10 * gpu.major + gpu.minor < oldest)
    gpu.unusable = fmt::format("its compute capability is {}.{}, and {}.{} is needed", gpu.major,
                               gpu.minor, oldest / 10, oldest % 10);
  return gpu;
}

std::string host_name() {
  std::array<char, 256> name = {};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

}  // namespace

std::string_view gpu_targets() {
  return gpu_code().empty() ? std::string_view() : gpu_code_targets();
}

Gpus find_gpus() {
  Gpus gpus;
  if (gpu_code().empty()) {
    gpus.none = kNoCode;
    return gpus;
  }
  const CudaDriver* const driver = cuda_driver(gpus.none);
  if (!driver) return gpus;
  int version = 0, count = 0;
  driver->require(driver->driver_version(&version), "asking for the driver's version");
  gpus.driver = fmt::format("CUDA {}.{}", version / 1000, version % 1000 / 10);
  driver->require(driver->device_count(&count), "counting GPUs");
  for (int number = 0; number < count; ++number)
    gpus.found.push_back(describe_gpu(*driver, number));
  if (gpus.found.empty()) gpus.none = "no NVIDIA GPU was found";
  return gpus;
}

Device choose_device(std::string_view name) {
  if (name == "auto") {
    const Gpus gpus = find_gpus();
    const auto usable = std::find_if(gpus.found.begin(), gpus.found.end(),
                                     [](const Gpu& gpu) { return gpu.unusable.empty(); });
    return usable == gpus.found.end() ? Device{} : Device{Device::Kind::cuda, usable->number};
  }
  const Device device = parse_device(name);
  if (device.kind != Device::Kind::cuda) return device;
  const Gpus gpus = find_gpus();
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorCode::usage, fmt::format("‹device {}›: {}", to_text(device), why));
  };
  if (!gpus.none.empty()) refuse(gpus.none);
  if (static_cast<std::size_t>(device.number) >= gpus.found.size())
    refuse(fmt::format("this machine has {}, numbered from 0", counted(gpus.found.size(), "GPU")));
  const Gpu& gpu = gpus.found[static_cast<std::size_t>(device.number)];
  if (!gpu.unusable.empty()) refuse(fmt::format("{}: {}", gpu.name, gpu.unusable));
  return device;
}

Device choose_device(std::string_view name, Communicator& comm) {
  const Device device = choose_device(name);
  if (comm.size() == 1 || (name != "cuda" && name != "auto")) return device;
  const std::string host = host_name();
  const auto hosts = comm.all_gather(std::as_bytes(std::span(host)));
  if (device.kind != Device::Kind::cuda) return device;
  const auto before = std::count(hosts.begin(), hosts.begin() + comm.rank(),
                                 hosts[static_cast<std::size_t>(comm.rank())]);
  std::vector<int> usable;
  for (const Gpu& gpu : find_gpus().found)
    if (gpu.unusable.empty()) usable.push_back(gpu.number);
  return {Device::Kind::cuda, usable[static_cast<std::size_t>(before) % usable.size()]};
}

std::unique_ptr<DeviceQueue> open_device(const Device& device) {
  switch (device.kind) {
    case Device::Kind::cpu:
      break;
    case Device::Kind::cuda:
      return open_cuda_queue(choose_device(to_text(device)).number);
    case Device::Kind::emulated:
      return open_host_queue(RunOrder::forwards);
  }
  throw Error(ErrorCode::usage, "this device has no memory of its own");
}

std::unique_ptr<DeviceQueue> open_device(const Context& context) {
  auto queue = open_device(context.device);
  if (WorkProfile* const profile = context.pool.profile()) queue->measure(*profile);
  return queue;
}

// Never destroyed: the driver may be gone before.
void keep_open(const Device& device) {
  if (device.kind != Device::Kind::cuda) return;
  static std::mutex mutex;
  static auto* const kept = new std::map<int, std::shared_ptr<const CudaGpu>>;
  const std::lock_guard lock(mutex);
  (*kept)[device.number] = share_gpu(device.number);
}

// An error comes again to whoever opens the device, who can report it.
DeviceStart::DeviceStart(const Device& device) {
  if (device.kind != Device::Kind::cuda) return;
  thread_ = std::thread([this, number = device.number] {
    try {
      gpu_ = share_gpu(number);
    } catch (const Error&) {
      gpu_ = nullptr;
    }
  });
}

DeviceStart::~DeviceStart() {
  if (thread_.joinable()) thread_.join();
}

}  // namespace podium

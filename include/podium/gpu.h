// The GPUs that this build can use on this machine. The driver is loaded when it is first needed,
// so a program with GPU support also runs on machines without one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "podium/communicator.h"
#include "podium/device.h"

namespace podium {

struct Gpu {
  int number = 0;
  std::string name;
  int major = 0, minor = 0;  // compute capability
  std::uint64_t bytes = 0;   // of memory
  std::string unusable;      // why it cannot be used; empty: it can
};

struct Gpus {
  std::vector<Gpu> found;
  std::string none;    // why there are none; empty: there are
  std::string driver;  // version; empty: there is none
};
Gpus find_gpus();

// The GPU architectures that this build has code for, as text: "sm_80 sm_86 sm_89 sm_90, PTX 8.0";
// empty: a build without GPU support.
std::string_view gpu_targets();

// What a user names: parse_device(), and `auto`, the first GPU that can be used, or else the CPU.
// Throws a usage Error if the device is not there or cannot be used.
Device choose_device(std::string_view name);
// The same for a group of ranks: where `cuda` or `auto` leaves the number open, the ranks of a
// machine take its usable GPUs in turn. Collective: all ranks must call it with the same name.
Device choose_device(std::string_view name, Communicator& comm);

// Keeps a GPU open until the process ends, for programs that use it again and again: opening it
// takes a quarter of a second. Nothing for other devices.
void keep_open(const Device& device);

// Opens a GPU in a thread of its own, while the data is read, and keeps it open; nothing for other
// devices.
class DeviceStart {
 public:
  explicit DeviceStart(const Device& device);
  ~DeviceStart();
  DeviceStart(const DeviceStart&) = delete;
  DeviceStart& operator=(const DeviceStart&) = delete;

 private:
  std::shared_ptr<const void> gpu_;
  std::thread thread_;
};

}  // namespace podium

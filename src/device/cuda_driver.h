// The part of NVIDIA's driver interface that Podium uses, from libcuda.so.1, loaded when it is
// first needed. Nothing is linked, and no header of NVIDIA's is needed to compile this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace podium {

// Names as in the driver's documentation, without their versions.
struct CudaDriver {
  using Result = int;
  using Handle = void*;  // of contexts, streams, events, modules and functions
  using Pointer = std::uint64_t;
  static constexpr Result kSuccess = 0;
  static constexpr Result kOutOfMemory = 2;
  static constexpr Result kNoDevice = 100;
  // Limits of a context.
  static constexpr int kStackBytes = 0;
  // Attributes of a GPU.
  static constexpr int kMultiprocessors = 16, kMajor = 75, kMinor = 76;

  Result (*init)(unsigned flags);
  Result (*driver_version)(int* version);
  Result (*device_count)(int* count);
  Result (*device_get)(int* device, int number);
  Result (*device_name)(char* name, int length, int device);
  Result (*device_bytes)(std::size_t* bytes, int device);
  Result (*device_attribute)(int* value, int attribute, int device);
  Result (*context_state)(int device, unsigned* flags, int* active);
  Result (*retain_context)(Handle* context, int device);
  Result (*release_context)(int device);
  Result (*set_context)(Handle context);
  Result (*set_limit)(int limit, std::size_t value);
  Result (*memory_info)(std::size_t* free, std::size_t* all);
  Result (*load_module)(Handle* module, const void* image);
  Result (*unload_module)(Handle module);
  Result (*get_function)(Handle* function, Handle module, const char* name);
  Result (*create_stream)(Handle* stream, unsigned flags);
  Result (*destroy_stream)(Handle stream);
  Result (*wait_stream)(Handle stream);
  Result (*create_event)(Handle* event, unsigned flags);
  Result (*destroy_event)(Handle event);
  Result (*record_event)(Handle event, Handle stream);
  Result (*event_time)(float* milliseconds, Handle begin, Handle end);
  Result (*allocate)(Pointer* memory, std::size_t bytes);
  Result (*release)(Pointer memory);
  Result (*allocate_pinned)(void** memory, std::size_t bytes);
  Result (*release_pinned)(void* memory);
  Result (*to_device)(Pointer to, const void* from, std::size_t bytes, Handle stream);
  Result (*to_host)(void* to, Pointer from, std::size_t bytes, Handle stream);
  Result (*in_device)(Pointer to, Pointer from, std::size_t bytes, Handle stream);
  Result (*fill)(Pointer to, unsigned char value, std::size_t bytes, Handle stream);
  Result (*launch)(Handle function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                   Handle stream, void** arguments, void** extra);
  Result (*error_name)(Result error, const char** name);
  Result (*error_text)(Result error, const char** text);

  // "CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected"
  std::string describe(Result error) const;
  // Throws an Error that begins with `what` unless the result is kSuccess.
  void require(Result result, const char* what) const;
};

// The driver, initialised; null, with `why` set, if there is none or it does not start.
const CudaDriver* cuda_driver(std::string& why);

}  // namespace podium

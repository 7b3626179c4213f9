// An array on the host that a device's copies reach directly: an upload from it goes on while the
// host does something else, and must have ended (DeviceQueue::wait()) before the array is changed.
// Such memory cannot be moved to a disk and takes long to get, so there should be little of it. The
// queue must outlive the array.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

#include "device/device_queue.h"

namespace podium {

template <class T>
class PinnedArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  PinnedArray(DeviceQueue& queue, std::size_t size)
      : queue_(queue),
        size_(size),
        data_(size > 0 ? static_cast<T*>(queue.allocate_pinned(size * sizeof(T))) : nullptr) {}
  ~PinnedArray() {
    if (data_) queue_.release_pinned(data_);
  }
  PinnedArray(const PinnedArray&) = delete;
  PinnedArray& operator=(const PinnedArray&) = delete;

  std::size_t size() const noexcept { return size_; }
  std::span<T> values() noexcept { return {data_, size_}; }

 private:
  DeviceQueue& queue_;
  std::size_t size_;
  T* data_;
};

}  // namespace podium

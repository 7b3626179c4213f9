// An array in a device's memory. The queue must outlive it.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "device/device_queue.h"

namespace podium {

template <class T>
class DeviceArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  DeviceArray() = default;
  DeviceArray(DeviceQueue& queue, std::size_t size)
      : queue_(&queue), size_(size), capacity_(size), data_(take(queue, size)) {}
  DeviceArray(DeviceQueue& queue, std::span<const T> values) : DeviceArray(queue, values.size()) {
    upload(values);
  }
  DeviceArray(DeviceArray&& other) noexcept { swap(other); }
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    DeviceArray(std::move(other)).swap(*this);
    return *this;
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() {
    if (data_) queue_->release(data_);
  }

  std::size_t size() const noexcept { return size_; }
  T* data() noexcept { return data_; }
  const T* data() const noexcept { return data_; }

  // Keeps the memory if it is large enough, but not what is in it.
  void resize(DeviceQueue& queue, std::size_t size) {
    if (size > capacity_) {
      *this = {};  // before more is taken
      *this = DeviceArray(queue, size);
    }
    queue_ = &queue;
    size_ = size;
  }

  void upload(std::span<const T> values, std::size_t at = 0) {
    if (!values.empty()) queue_->upload(data_ + at, values.data(), values.size_bytes());
  }
  void assign(DeviceQueue& queue, std::span<const T> values) {
    resize(queue, values.size());
    upload(values);
  }
  void download(std::span<T> values, std::size_t at = 0) const {
    if (!values.empty()) queue_->download(values.data(), data_ + at, values.size_bytes());
  }
  std::vector<T> values() const {
    std::vector<T> all(size_);
    download(all);
    return all;
  }
  void clear() {
    if (size_ > 0) queue_->fill(data_, 0, size_ * sizeof(T));
  }

 private:
  static T* take(DeviceQueue& queue, std::size_t size) {
    return size > 0 ? static_cast<T*>(queue.allocate(size * sizeof(T))) : nullptr;
  }
  void swap(DeviceArray& other) noexcept {
    std::swap(queue_, other.queue_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    std::swap(data_, other.data_);
  }

  DeviceQueue* queue_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
  T* data_ = nullptr;
};

}  // namespace podium

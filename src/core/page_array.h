// A growable array whose memory comes directly from the system in pages: growing copies no bytes,
// reserved memory costs nothing until it is written, and freeing returns it to the system at once.
// Elements are not initialised.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

namespace podium {

// Resizes the allocation at `pages` (null: none yet) from `old_bytes` to `new_bytes` (0: freed).
// Throws an Error if the system has no memory left.
void* resize_pages(void* pages, std::size_t old_bytes, std::size_t new_bytes);

// Gives freed memory that the C library's heap keeps back to the system, if it can: after a step
// that needed much more than the following ones.
void return_freed_memory();

template <class T>
class PageArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  PageArray() = default;
  explicit PageArray(std::size_t size) { resize(size); }
  PageArray(PageArray&& other) noexcept { swap(other); }
  PageArray& operator=(PageArray&& other) noexcept {
    PageArray(std::move(other)).swap(*this);
    return *this;
  }
  ~PageArray() {
    if (data_) resize_pages(data_, capacity_ * sizeof(T), 0);
  }

  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  T* data() noexcept { return data_; }
  const T* data() const noexcept { return data_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  std::span<const T> view() const noexcept { return {data_, size_}; }

  void resize(std::size_t size) {
    if (size > capacity_) set_capacity(size);
    size_ = size;
  }
  void reserve(std::size_t capacity) {
    if (capacity > capacity_) set_capacity(capacity);
  }
  // Like resize, with spare capacity.
  void grow(std::size_t count) {
    const std::size_t size = size_ + count;
    if (size > capacity_) set_capacity(std::max({size, 2 * capacity_, kFirstBytes / sizeof(T)}));
    size_ = size;
  }
  void append(std::span<const T> values) {
    if (values.empty()) return;
    grow(values.size());
    std::memcpy(data_ + size_ - values.size(), values.data(), values.size_bytes());
  }
  // Frees capacity beyond the size.
  void shrink() { set_capacity(size_); }

 private:
  static constexpr std::size_t kFirstBytes = std::size_t{64} << 10;

  void set_capacity(std::size_t capacity) {
    data_ = static_cast<T*>(resize_pages(data_, capacity_ * sizeof(T), capacity * sizeof(T)));
    capacity_ = capacity;
  }
  void swap(PageArray& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace podium

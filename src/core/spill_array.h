// An array that may be larger than memory: if it would use too much, it is in a mapped temporary
// file (in the folder TMPDIR) that has no name and disappears with the array. Elements are
// initially 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

namespace podium {

enum class Storage { memory, file };

// Where to store arrays with this total size: in a file if they would use more than a quarter of
// the memory available to the process.
Storage storage_for(std::uint64_t bytes);

// Throws an Error if there is no space. If memory cannot be allocated, a file is used.
void* map_storage(std::size_t bytes, Storage storage);
void unmap_storage(void* data, std::size_t bytes) noexcept;

template <class T>
class SpillArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  SpillArray() = default;
  SpillArray(std::size_t size, Storage storage)
      : data_(size > 0 ? static_cast<T*>(map_storage(size * sizeof(T), storage)) : nullptr),
        size_(size) {}
  SpillArray(SpillArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  SpillArray& operator=(SpillArray&& other) noexcept {
    SpillArray taken(std::move(other));
    std::swap(data_, taken.data_);
    std::swap(size_, taken.size_);
    return *this;
  }
  ~SpillArray() {
    if (data_) unmap_storage(data_, size_ * sizeof(T));
  }

  std::size_t size() const noexcept { return size_; }
  T* data() noexcept { return data_; }
  const T* data() const noexcept { return data_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  std::span<const T> view() const noexcept { return {data_, size_}; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace podium

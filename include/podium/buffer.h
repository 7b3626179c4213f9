// Immutable arrays with shared ownership, in memory or in a memory-mapped file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace podium {

// Checks bytes of a mapped file before their first use; throws an Error when they are damaged.
class BlockCheck {
 public:
  virtual ~BlockCheck() = default;
  virtual void touch(const void* begin, const void* end) const = 0;
};

// An immutable array with shared ownership.
template <class T>
class Buffer {
 public:
  Buffer() = default;
  Buffer(std::vector<T> values) {  // NOLINT(google-explicit-constructor): a vector is a buffer
    auto owned = std::make_shared<const std::vector<T>>(std::move(values));
    data_ = {owned->data(), owned->size()};
    owner_ = std::move(owned);
  }
  Buffer(std::span<const T> data, std::shared_ptr<const void> owner,
         const BlockCheck* check = nullptr)
      : data_(data), owner_(std::move(owner)), check_(check) {}

  std::size_t size() const noexcept { return data_.size(); }
  bool empty() const noexcept { return data_.empty(); }
  std::size_t bytes() const noexcept { return data_.size_bytes(); }

  std::span<const T> view() const { return view(0, size()); }
  std::span<const T> view(std::size_t begin, std::size_t count) const {
    const std::span<const T> part = data_.subspan(begin, count);
    if (check_ && count) check_->touch(part.data(), part.data() + count);
    return part;
  }
  T operator[](std::size_t i) const { return view(i, 1)[0]; }
  // A part of this array, with the same owner.
  Buffer slice(std::size_t begin, std::size_t count) const {
    return Buffer(data_.subspan(begin, count), owner_, check_);
  }

 private:
  std::span<const T> data_;
  std::shared_ptr<const void> owner_;
  const BlockCheck* check_ = nullptr;  // kept alive by owner_
};

// Many short strings in two arrays; empty if there are none.
struct Strings {
  Buffer<std::uint64_t> begin;  // size() + 1 offsets into chars
  Buffer<char> chars;

  std::size_t size() const noexcept { return begin.empty() ? 0 : begin.size() - 1; }
  bool empty() const noexcept { return size() == 0; }
  std::string_view operator[](std::size_t i) const {
    const auto ends = begin.view(i, 2);
    const auto part = chars.view(ends[0], ends[1] - ends[0]);
    return {part.data(), part.size()};
  }
};
Strings make_strings(std::span<const std::string> values);

}  // namespace podium

// Serialises a program's state to bytes and back, exactly. A type lists its members once, for both
// directions:
//
//   template <class Archive, class Self>
//   static void fields(Archive& archive, Self& self) { archive(self.weights, self.round); }
//
// or, for types of other libraries, as a function archive_fields(archive, value) next to the type.
// The bytes are for the same build on the same or a similar machine: code that stores them adds the
// version and a checksum.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "podium/error.h"

namespace podium {

namespace archiving {

template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

template <class T, class Archive>
concept HasFields = requires(Archive& archive, T& value) {
  T::fields(archive, value);
};

}  // namespace archiving

class ArchiveWriter {
 public:
  template <class... T>
  void operator()(const T&... values) {
    (put(values), ...);
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  template <class T>
  void put(const T& value) {
    if constexpr (archiving::Plain<T>)
      put_bytes(&value, sizeof(value));
    else if constexpr (archiving::HasFields<const T, ArchiveWriter>)
      T::fields(*this, value);
    else
      archive_fields(*this, value);
  }
  void put(const std::string& text) {
    put(static_cast<std::uint64_t>(text.size()));
    put_bytes(text.data(), text.size());
  }
  template <class T>
  void put(const std::vector<T>& values) {
    put(static_cast<std::uint64_t>(values.size()));
    if constexpr (archiving::Plain<T>)
      put_bytes(values.data(), values.size() * sizeof(T));
    else
      for (const T& value : values) put(value);
  }
  template <class T>
  void put(const std::optional<T>& value) {
    put(value.has_value());
    if (value) put(*value);
  }
  template <class A, class B>
  void put(const std::pair<A, B>& value) {
    (*this)(value.first, value.second);
  }

  void put_bytes(const void* data, std::size_t count) {
    const std::size_t before = bytes_.size();
    bytes_.resize(before + count);
    if (count > 0) std::memcpy(bytes_.data() + before, data, count);
  }

  std::vector<std::byte> bytes_;
};

// Throws an Error when the bytes end too early.
class ArchiveReader {
 public:
  explicit ArchiveReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <class... T>
  void operator()(T&... values) {
    (get(values), ...);
  }
  bool at_end() const noexcept { return bytes_.empty(); }

 private:
  template <class T>
  void get(T& value) {
    if constexpr (std::is_same_v<T, bool>)
      value = get_bool();
    else if constexpr (archiving::Plain<T>)
      get_bytes(&value, sizeof(value));
    else if constexpr (archiving::HasFields<T, ArchiveReader>)
      T::fields(*this, value);
    else
      archive_fields(*this, value);
  }
  void get(std::string& text) {
    text.resize(get_size(1));
    get_bytes(text.data(), text.size());
  }
  template <class T>
  void get(std::vector<T>& values) {
    if constexpr (archiving::Plain<T>) {
      values.resize(get_size(sizeof(T)));
      get_bytes(values.data(), values.size() * sizeof(T));
    } else {
      values.clear();
      for (std::size_t left = get_size(1); left > 0; --left) get(values.emplace_back());
    }
  }
  template <class T>
  void get(std::optional<T>& value) {
    bool present = false;
    get(present);
    value.reset();
    if (present) get(value.emplace());
  }
  template <class A, class B>
  void get(std::pair<A, B>& value) {
    (*this)(value.first, value.second);
  }

  bool get_bool() {
    std::uint8_t value = 0;
    get_bytes(&value, sizeof(value));
    if (value > 1) throw Error(ErrorCode::file, "the saved state is damaged");
    return value == 1;
  }
  // A number of elements of at least `least` bytes each; throws if fewer bytes than that are left.
  std::size_t get_size(std::size_t least) {
    std::uint64_t size = 0;
    get(size);
    if (size > bytes_.size() / least) fail();
    return static_cast<std::size_t>(size);
  }
  void get_bytes(void* data, std::size_t count) {
    if (count > bytes_.size()) fail();
    if (count > 0) std::memcpy(data, bytes_.data(), count);
    bytes_ = bytes_.subspan(count);
  }
  [[noreturn]] static void fail() {
    throw Error(ErrorCode::file, "saved or received data is truncated");
  }

  std::span<const std::byte> bytes_;
};

}  // namespace podium

// A protocol buffers message split into its fields; repeated numbers may be packed or not.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "podium/error.h"

namespace podium {

class ProtobufReader {
 public:
  explicit ProtobufReader(std::string_view bytes) {
    while (!bytes.empty()) fields_.push_back(take_field(bytes));
  }

  std::int64_t whole(std::uint64_t number, std::int64_t otherwise = 0) const {
    for (const Field& field : fields_)
      if (field.number == number && field.wire == 0) return static_cast<std::int64_t>(field.value);
    return otherwise;
  }
  std::string_view bytes(std::uint64_t number) const {
    for (const Field& field : fields_)
      if (field.number == number && field.wire == 2) return field.bytes;
    return {};
  }
  std::vector<std::string_view> all_bytes(std::uint64_t number) const {
    std::vector<std::string_view> out;
    for (const Field& field : fields_)
      if (field.number == number && field.wire == 2) out.push_back(field.bytes);
    return out;
  }
  std::vector<std::int64_t> wholes(std::uint64_t number) const {
    std::vector<std::int64_t> out;
    for (const Field& field : fields_) {
      if (field.number != number) continue;
      if (field.wire == 0) out.push_back(static_cast<std::int64_t>(field.value));
      for (std::string_view rest = field.bytes; field.wire == 2 && !rest.empty();)
        out.push_back(static_cast<std::int64_t>(take_varint(rest)));
    }
    return out;
  }
  std::vector<float> reals(std::uint64_t number) const {
    std::vector<float> out;
    for (const Field& field : fields_) {
      if (field.number != number || (field.wire != 2 && field.wire != 5)) continue;
      for (std::size_t at = 0; at + 4 <= field.bytes.size(); at += 4) {
        float value;
        std::memcpy(&value, field.bytes.data() + at, 4);
        out.push_back(value);
      }
    }
    return out;
  }

 private:
  struct Field {
    std::uint64_t number = 0, wire = 0, value = 0;
    std::string_view bytes = {};
  };

  [[noreturn]] static void fail(const char* why) {
    throw Error(ErrorCode::data, std::string("not an ONNX file, or a damaged one: ") + why);
  }
  static std::uint64_t take_varint(std::string_view& bytes) {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (bytes.empty()) break;
      const auto byte = static_cast<unsigned char>(bytes[0]);
      bytes.remove_prefix(1);
      value |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) return value;
    }
    fail("a number does not end");
  }
  static Field take_field(std::string_view& bytes) {
    const std::uint64_t tag = take_varint(bytes);
    Field field{tag >> 3, tag & 7, 0, {}};
    std::uint64_t size = 0;
    if (field.wire == 0)
      field.value = take_varint(bytes);
    else if (field.wire == 2)
      size = take_varint(bytes);
    else if (field.wire == 1 || field.wire == 5)
      size = field.wire == 1 ? 8 : 4;
    else
      fail("it has a field of an unknown kind");
    if (size > bytes.size()) fail("a field is longer than the file");
    field.bytes = bytes.substr(0, size);
    bytes.remove_prefix(size);
    return field;
  }

  std::vector<Field> fields_;
};

}  // namespace podium

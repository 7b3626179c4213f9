// The part of the protocol buffers wire format that ONNX needs: a field is a tag (number, wire
// type) and a varint, four bytes, or a length with that many bytes; a message is its concatenated
// fields.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace podium {

class ProtobufWriter {
 public:
  ProtobufWriter& whole(std::uint32_t field, std::int64_t value) {
    tag(field, 0);
    varint(static_cast<std::uint64_t>(value));
    return *this;
  }
  ProtobufWriter& bytes(std::uint32_t field, std::string_view value) {
    tag(field, 2);
    varint(value.size());
    out_ += value;
    return *this;
  }
  ProtobufWriter& message(std::uint32_t field, const ProtobufWriter& value) {
    return bytes(field, value.out_);
  }
  ProtobufWriter& real(std::uint32_t field, float value) {
    tag(field, 5);
    fixed32(value);
    return *this;
  }
  // Packed.
  ProtobufWriter& wholes(std::uint32_t field, std::span<const std::int64_t> values) {
    ProtobufWriter packed;
    for (const std::int64_t value : values) packed.varint(static_cast<std::uint64_t>(value));
    return message(field, packed);
  }
  ProtobufWriter& reals(std::uint32_t field, std::span<const float> values) {
    ProtobufWriter packed;
    for (const float value : values) packed.fixed32(value);
    return message(field, packed);
  }
  // Appends the fields of another message.
  ProtobufWriter& append(const ProtobufWriter& fields) {
    out_ += fields.out_;
    return *this;
  }

  const std::string& text() const noexcept { return out_; }

 private:
  void tag(std::uint32_t field, std::uint32_t wire) { varint(field << 3 | wire); }
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) out_ += static_cast<char>(value | 0x80);
    out_ += static_cast<char>(value);
  }
  void fixed32(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    for (int shift = 0; shift < 32; shift += 8) out_ += static_cast<char>(bits >> shift);
  }

  std::string out_;
};

}  // namespace podium

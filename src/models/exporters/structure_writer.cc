#include "models/exporters/structure_writer.h"

#include <bit>

#include <fmt/format.h>

#include "models/exporters/number_text.h"

namespace podium {
namespace {

class JsonStructure final : public StructureWriter {
 public:
  void begin_object() override { open('{'); }
  void end_object() override { close('}'); }
  void begin_array(std::size_t) override { open('['); }
  void end_array() override { close(']'); }
  void key(std::string_view name) override {
    separate();
    out_ += json_text(name) + ":";
    is_first_ = true;  // no comma before the value
  }
  void text(std::string_view value) override { put(json_text(value)); }
  void whole(std::int64_t value) override { put(fmt::format("{}", value)); }
  void bytes(std::span<const std::uint8_t> values) override { put_all(values); }
  void wholes(std::span<const std::int32_t> values) override { put_all(values); }
  void long_wholes(std::span<const std::int64_t> values) override { put_all(values); }
  void reals(std::span<const float> values) override {
    open('[');
    for (const float value : values) put(real_text(value));
    close(']');
  }
  std::string take() override { return std::move(out_) + "\n"; }

 private:
  void separate() {
    if (!is_first_) out_ += ',';
    is_first_ = false;
  }
  void put(const std::string& value) {
    separate();
    out_ += value;
  }
  void open(char bracket) {
    separate();
    out_ += bracket;
    is_first_ = true;
  }
  void close(char bracket) {
    out_ += bracket;
    is_first_ = false;
  }
  template <class Number>
  void put_all(std::span<const Number> values) {
    open('[');
    for (const Number value : values) put(fmt::format("{}", value));
    close(']');
  }

  std::string out_;
  bool is_first_ = true;
};

// Sizes are always 64 bits, as XGBoost writes them.
class UbjsonStructure final : public StructureWriter {
 public:
  void begin_object() override { out_ += '{'; }
  void end_object() override { out_ += '}'; }
  void begin_array(std::size_t items) override {
    out_ += '[';
    count(items);
  }
  void end_array() override {}  // the count says where
  void key(std::string_view name) override {
    size(name.size());
    out_ += name;
  }
  void text(std::string_view value) override {
    out_ += 'S';
    size(value.size());
    out_ += value;
  }
  void whole(std::int64_t value) override {
    out_ += 'L';
    big_endian(static_cast<std::uint64_t>(value));
  }
  void bytes(std::span<const std::uint8_t> values) override {
    typed('U', values.size());
    for (const std::uint8_t value : values) out_ += static_cast<char>(value);
  }
  void wholes(std::span<const std::int32_t> values) override {
    typed('l', values.size());
    for (const std::int32_t value : values) big_endian(static_cast<std::uint32_t>(value));
  }
  void long_wholes(std::span<const std::int64_t> values) override {
    typed('L', values.size());
    for (const std::int64_t value : values) big_endian(static_cast<std::uint64_t>(value));
  }
  void reals(std::span<const float> values) override {
    typed('d', values.size());
    for (const float value : values) big_endian(std::bit_cast<std::uint32_t>(value));
  }
  std::string take() override { return std::move(out_); }

 private:
  template <class Unsigned>
  void big_endian(Unsigned bits) {
    for (int shift = static_cast<int>(sizeof(Unsigned)) * 8 - 8; shift >= 0; shift -= 8)
      out_ += static_cast<char>(static_cast<unsigned char>(bits >> shift));
  }
  void size(std::size_t size) {
    out_ += 'L';
    big_endian(static_cast<std::uint64_t>(size));
  }
  void count(std::size_t items) {
    out_ += '#';
    size(items);
  }
  void typed(char type, std::size_t items) {
    out_ += "[$";
    out_ += type;
    count(items);
  }

  std::string out_;
};

}  // namespace

std::unique_ptr<StructureWriter> make_json_writer() {
  return std::make_unique<JsonStructure>();
}
std::unique_ptr<StructureWriter> make_ubjson_writer() {
  return std::make_unique<UbjsonStructure>();
}

}  // namespace podium

// Objects, arrays and values, written as JSON or as UBJSON: what XGBoost's model files are made of.
// Arrays of numbers have one type, which UBJSON states ($) with the count (#) and JSON drops.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace podium {

class StructureWriter {
 public:
  virtual ~StructureWriter() = default;

  virtual void begin_object() = 0;
  virtual void end_object() = 0;
  virtual void begin_array(std::size_t items) = 0;  // of values of any type
  virtual void end_array() = 0;
  virtual void key(std::string_view name) = 0;  // before each value of an object
  virtual void text(std::string_view value) = 0;
  virtual void whole(std::int64_t value) = 0;
  virtual void bytes(std::span<const std::uint8_t> values) = 0;
  virtual void wholes(std::span<const std::int32_t> values) = 0;
  virtual void long_wholes(std::span<const std::int64_t> values) = 0;
  virtual void reals(std::span<const float> values) = 0;
  virtual std::string take() = 0;  // the file
};

std::unique_ptr<StructureWriter> make_json_writer();
std::unique_ptr<StructureWriter> make_ubjson_writer();

}  // namespace podium

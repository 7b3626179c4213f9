#include "arrow_column.h"

#include <charconv>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "podium/error.h"

namespace podium::python {
namespace {

bool bit(const void* bits, std::int64_t i) noexcept {
  return (static_cast<const std::uint8_t*>(bits)[i / 8] >> (i % 8) & 1) != 0;
}

float from_half(std::uint16_t half) noexcept {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000U) << 16;
  const std::uint32_t exponent = half >> 10 & 0x1FU, mantissa = half & 0x3FFU;
  float magnitude = 0;
  if (exponent == 0) {
    magnitude = static_cast<float>(mantissa) * 0x1.0p-24F;
  } else {
    const std::uint32_t bits = (exponent == 31 ? 0xFFU << 23 : (exponent + 112) << 23) | mantissa
                                                                                             << 13;
    std::memcpy(&magnitude, &bits, sizeof(magnitude));
  }
  return sign ? -magnitude : magnitude;
}

template <class In, class Out>
void copy_as(const ArrowColumn& column, std::int64_t begin, std::int64_t count, Out* out,
             std::size_t stride) {
  const In* const in = static_cast<const In*>(column.array->buffers[1]) + column.offset + begin;
  for (std::int64_t i = 0; i < count; ++i, out += stride) *out = static_cast<Out>(in[i]);
}

template <class Out>
void copy_raw(const ArrowColumn& column, std::int64_t begin, std::int64_t count, Out* out,
              std::size_t stride) {
  switch (column.format[0]) {
    case 'f':
      return copy_as<float>(column, begin, count, out, stride);
    case 'g':
      return copy_as<double>(column, begin, count, out, stride);
    case 'c':
      return copy_as<std::int8_t>(column, begin, count, out, stride);
    case 'C':
      return copy_as<std::uint8_t>(column, begin, count, out, stride);
    case 's':
      return copy_as<std::int16_t>(column, begin, count, out, stride);
    case 'S':
      return copy_as<std::uint16_t>(column, begin, count, out, stride);
    case 'i':
      return copy_as<std::int32_t>(column, begin, count, out, stride);
    case 'I':
      return copy_as<std::uint32_t>(column, begin, count, out, stride);
    case 'l':
      return copy_as<std::int64_t>(column, begin, count, out, stride);
    case 'L':
      return copy_as<std::uint64_t>(column, begin, count, out, stride);
    case 'e': {
      const auto* const in =
          static_cast<const std::uint16_t*>(column.array->buffers[1]) + column.offset + begin;
      for (std::int64_t i = 0; i < count; ++i, out += stride)
        *out = static_cast<Out>(from_half(in[i]));
      return;
    }
    default:  // 'b'
      for (std::int64_t i = 0; i < count; ++i, out += stride)
        *out = bit(column.array->buffers[1], column.offset + begin + i) ? Out{1} : Out{0};
  }
}

std::int64_t index_at(const ArrowColumn& column, std::int64_t row) {
  double index = 0;  // exact: dictionaries are smaller than 2^53
  copy_raw(column, row, 1, &index, 1);
  return static_cast<std::int64_t>(index);
}

// A view is 16 bytes: the length, then the text itself (up to 12 bytes), or its first 4 bytes, the
// index of its buffer and its offset there.
std::string_view view_at(const ArrowArray& array, std::int64_t at) {
  const char* const view = static_cast<const char*>(array.buffers[1]) + 16 * at;
  std::int32_t length = 0, buffer = 0, place = 0;
  std::memcpy(&length, view, 4);
  if (length <= 12) return {view + 4, static_cast<std::size_t>(length)};
  std::memcpy(&buffer, view + 8, 4);
  std::memcpy(&place, view + 12, 4);
  return {static_cast<const char*>(array.buffers[2 + buffer]) + place,
          static_cast<std::size_t>(length)};
}

template <class Offset>
std::string_view slice_at(const ArrowArray& array, std::int64_t at) {
  const auto* const begin = static_cast<const Offset*>(array.buffers[1]) + at;
  return {static_cast<const char*>(array.buffers[2]) + begin[0],
          static_cast<std::size_t>(begin[1] - begin[0])};
}

bool is_text_format(std::string_view format) {
  return format == "u" || format == "U" || format == "vu";
}

}  // namespace

bool ArrowColumn::may_have_nulls() const noexcept {
  return format == "n" ||
         (array->null_count != 0 && array->n_buffers > 0 && array->buffers[0] != nullptr);
}

bool ArrowColumn::null(std::int64_t row) const noexcept {
  return may_have_nulls() && (format == "n" || !bit(array->buffers[0], offset + row));
}

bool ArrowColumn::is_text() const noexcept {
  return is_text_format(schema->dictionary ? schema->dictionary->format : format);
}

ArrowColumn child_of(const ArrowColumn& parent, std::size_t child, std::int64_t elements_a_row) {
  const ArrowArray* const array = parent.array->children[child];
  const ArrowSchema* const schema = parent.schema->children[child];
  return {schema->format, array, array->offset + parent.offset * elements_a_row,
          parent.rows * elements_a_row, schema};
}

std::int64_t list_width(std::string_view format) {
  if (!format.starts_with("+w:")) return 0;
  std::int64_t width = 0;
  std::from_chars(format.data() + 3, format.data() + format.size(), width);
  return width;
}

bool is_number(std::string_view format) {
  return format.size() == 1 && std::string_view("fgcCsSiIlLebn").find(format[0]) != format.npos;
}

template <class Out>
void copy_numbers(const ArrowColumn& column, std::int64_t begin, std::int64_t count, Out* out,
                  std::size_t stride) {
  constexpr Out kMissing = std::numeric_limits<Out>::quiet_NaN();
  if (column.format != "n") copy_raw(column, begin, count, out, stride);
  if (!column.may_have_nulls()) return;
  for (std::int64_t i = 0; i < count; ++i)
    if (column.null(begin + i)) out[static_cast<std::size_t>(i) * stride] = kMissing;
}
template void copy_numbers(const ArrowColumn&, std::int64_t, std::int64_t, float*, std::size_t);
template void copy_numbers(const ArrowColumn&, std::int64_t, std::int64_t, double*, std::size_t);

std::string_view text_at(const ArrowColumn& column, std::int64_t row) {
  const ArrowArray* array = column.array;
  std::string_view format = column.format;
  std::int64_t at = column.offset + row;
  if (column.schema->dictionary) {
    at = index_at(column, row);
    array = column.array->dictionary;
    format = column.schema->dictionary->format;
    at += array->offset;
  }
  if (format == "u") return slice_at<std::int32_t>(*array, at);
  if (format == "U") return slice_at<std::int64_t>(*array, at);
  return view_at(*array, at);
}

}  // namespace podium::python

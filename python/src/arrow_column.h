// One column of one piece of an Arrow table, as numbers or text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "arrow_abi.h"

namespace podium::python {

struct ArrowColumn {
  std::string_view format;
  const ArrowArray* array = nullptr;
  std::int64_t offset = 0;  // of the first row in the buffers
  std::int64_t rows = 0;
  const ArrowSchema* schema = nullptr;

  bool null(std::int64_t row) const noexcept;
  bool may_have_nulls() const noexcept;
  bool is_text() const noexcept;
};

// The child of a struct, or of a list of fixed size (rows then counts its elements).
ArrowColumn child_of(const ArrowColumn& parent, std::size_t child, std::int64_t elements_a_row = 1);

// N of "+w:N", or 0.
std::int64_t list_width(std::string_view format);

// Whether copy_numbers can read it.
bool is_number(std::string_view format);

// Rows begin … begin + count − 1 to out[0], out[stride], …; NaN for nulls.
template <class Out>
void copy_numbers(const ArrowColumn& column, std::int64_t begin, std::int64_t count, Out* out,
                  std::size_t stride);

// The text of a row, which must not be null.
std::string_view text_at(const ArrowColumn& column, std::int64_t row);

}  // namespace podium::python

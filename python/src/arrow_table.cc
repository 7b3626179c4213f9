#include "arrow_table.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "arrow_column.h"
#include "bindings.h"
#include "core/page_array.h"
#include "podium/error.h"
#include "podium/options.h"

namespace podium::python {

// The stream's schema and arrays, released with the last reference to them.
struct ArrowTable::Pieces {
  ArrowSchema schema = {};
  std::vector<ArrowArray> arrays;

  Pieces() = default;
  Pieces(const Pieces&) = delete;
  Pieces& operator=(const Pieces&) = delete;
  ~Pieces() {
    for (ArrowArray& array : arrays)
      if (array.release) array.release(&array);
    if (schema.release) schema.release(&schema);
  }

  ArrowColumn table(std::size_t piece) const {
    const ArrowArray& array = arrays[piece];
    return {schema.format, &array, array.offset, array.length, &schema};
  }
  ArrowColumn column(std::size_t piece, std::size_t number) const {
    return child_of(table(piece), number);
  }
};

namespace {

constexpr std::int64_t kRowsAChunk = 256;

[[noreturn]] void fail(ArrowArrayStream& stream, std::string_view what) {
  const char* const why = stream.get_last_error ? stream.get_last_error(&stream) : nullptr;
  throw Error(ErrorCode::data, fmt::format("X: {}: {}", what, why ? why : "no reason given"));
}

// The numbers of one column, or of one element of a list column.
struct NumberSource {
  std::size_t column;
  std::int64_t element;  // of lists of `width`; a plain column has width 0
  std::int64_t width;
};

void copy_source(const NumberSource& source, const ArrowColumn& column, std::int64_t begin,
                 std::int64_t count, float* out, std::size_t stride) {
  if (source.width == 0) return copy_numbers(column, begin, count, out, stride);
  const ArrowColumn elements = child_of(column, 0, source.width);
  for (std::int64_t row = 0; row < count; ++row, out += stride) {
    if (column.null(begin + row))
      *out = std::numeric_limits<float>::quiet_NaN();
    else
      copy_numbers(elements, (begin + row) * source.width + source.element, 1, out, 1);
  }
}

// A column that already is the matrix.
std::optional<std::span<const float>> matrix_in_place(const ArrowColumn& column) {
  const std::int64_t width = list_width(column.format);
  const ArrowColumn numbers = width > 0 ? child_of(column, 0, width) : column;
  if (numbers.format != "f" || numbers.may_have_nulls() || column.may_have_nulls()) return {};
  const auto* const data = static_cast<const float*>(numbers.array->buffers[1]);
  return std::span(data + numbers.offset, static_cast<std::size_t>(numbers.rows));
}

}  // namespace

ArrowTable::ArrowTable(ArrowArrayStream& stream) {
  auto pieces = std::make_shared<Pieces>();
  if (stream.get_schema(&stream, &pieces->schema) != 0) fail(stream, "no schema in the stream");
  if (std::string_view(pieces->schema.format) != "+s")
    throw Error(ErrorCode::data, fmt::format("X: not a table with columns, but one array of the "
                                             "Arrow type '{}'",
                                             pieces->schema.format));
  for (;;) {
    ArrowArray array = {};
    if (stream.get_next(&stream, &array) != 0) fail(stream, "the stream broke off");
    if (!array.release) break;
    pieces->arrays.push_back(array);
    rows_ += static_cast<std::size_t>(array.length);
  }
  for (std::int64_t c = 0; c < pieces->schema.n_children; ++c)
    names_.emplace_back(pieces->schema.children[c]->name ? pieces->schema.children[c]->name : "");
  pieces_ = std::move(pieces);
}

std::size_t ArrowTable::column(const std::string& name) const {
  const auto at = std::find(names_.begin(), names_.end(), name);
  if (at == names_.end())
    throw Error(ErrorCode::data,
                fmt::format("X has no column '{}'{}", name, suggestion(name, names_)));
  return static_cast<std::size_t>(at - names_.begin());
}

bool ArrowTable::is_text(const std::string& name) const {
  const ArrowSchema* const schema = pieces_->schema.children[column(name)];
  return ArrowColumn{schema->format, nullptr, 0, 0, schema}.is_text();
}

bool ArrowTable::is_number(const std::string& name) const {
  const ArrowSchema* const schema = pieces_->schema.children[column(name)];
  const bool list = list_width(schema->format) > 0;
  return python::is_number(list ? schema->children[0]->format : schema->format) &&
         !schema->dictionary;
}

ArrowTable::Features ArrowTable::features(const std::vector<std::string>& columns,
                                          ThreadPool& pool) const {
  Features out;
  std::vector<NumberSource> sources;
  for (const std::string& name : columns) {
    const std::size_t number = column(name);
    const ArrowSchema* const schema = pieces_->schema.children[number];
    const std::int64_t width = list_width(schema->format);
    const std::string_view format = width > 0 ? schema->children[0]->format : schema->format;
    if (!python::is_number(format) || schema->dictionary)
      throw Error(ErrorCode::data,
                  fmt::format("X: column '{}' has the Arrow type '{}'{}, which is not a number",
                              name, format, schema->dictionary ? " (categories)" : ""));
    for (std::int64_t e = 0; e < std::max<std::int64_t>(width, 1); ++e) {
      sources.push_back({number, e, width});
      out.names.push_back(width > 0 ? fmt::format("{}_{}", name, e) : name);
    }
  }
  if (columns.size() == 1 && pieces_->arrays.size() == 1)
    if (const auto matrix = matrix_in_place(pieces_->column(0, sources[0].column))) {
      out.values = Buffer<float>(*matrix, pieces_);
      return out;
    }
  auto values = std::make_shared<PageArray<float>>(rows_ * sources.size());
  float* begin = values->data();
  for (std::size_t piece = 0; piece < pieces_->arrays.size(); ++piece) {
    const auto rows = static_cast<std::size_t>(pieces_->arrays[piece].length);
    parallel_for(pool, rows, kRowsAChunk, [&](std::size_t first, std::size_t last) {
      float* const to = begin + first * sources.size();
      for (std::size_t s = 0; s < sources.size(); ++s)
        copy_source(sources[s], pieces_->column(piece, sources[s].column),
                    static_cast<std::int64_t>(first), static_cast<std::int64_t>(last - first),
                    to + s, sources.size());
    });
    begin += rows * sources.size();
  }
  out.values = Buffer<float>(values->view(), values);
  return out;
}

std::vector<std::string> ArrowTable::feature_names(const std::string& name) const {
  const std::int64_t width = list_width(pieces_->schema.children[column(name)]->format);
  if (width == 0) return {name};
  std::vector<std::string> names;
  for (std::int64_t e = 0; e < width; ++e) names.push_back(fmt::format("{}_{}", name, e));
  return names;
}

bool ArrowTable::is_dictionary(const std::string& name) const {
  return pieces_->schema.children[column(name)]->dictionary && is_text(name);
}

ArrowTable::Categories ArrowTable::categories(const std::string& name) const {
  const std::size_t number = column(name);
  if (!is_text(name)) throw Error(ErrorCode::data, fmt::format("X: column '{}' is not text", name));
  Categories out;
  out.rows.reserve(rows_);
  std::unordered_map<std::string_view, std::int64_t> known;  // of texts in the pieces
  for (std::size_t piece = 0; piece < pieces_->arrays.size(); ++piece) {
    const ArrowColumn column = pieces_->column(piece, number);
    for (std::int64_t row = 0; row < column.rows; ++row) {
      if (column.null(row)) {
        out.rows.push_back(-1);
        continue;
      }
      const std::string_view text = text_at(column, row);
      const auto [at, is_new] =
          known.try_emplace(text, static_cast<std::int64_t>(out.values.size()));
      if (is_new) out.values.emplace_back(text);
      out.rows.push_back(at->second);
    }
  }
  return out;
}

std::vector<double> ArrowTable::numbers(const std::string& name) const {
  const std::size_t number = column(name);
  const ArrowSchema* const schema = pieces_->schema.children[number];
  if (!python::is_number(schema->format) || schema->dictionary)
    throw Error(ErrorCode::data, fmt::format("X: column '{}' has the Arrow type '{}', which is not "
                                             "a number",
                                             name, schema->format));
  std::vector<double> out(rows_);
  double* begin = out.data();
  for (std::size_t piece = 0; piece < pieces_->arrays.size(); ++piece) {
    const std::int64_t rows = pieces_->arrays[piece].length;
    copy_numbers(pieces_->column(piece, number), 0, rows, begin, 1);
    begin += rows;
  }
  return out;
}

std::vector<std::string> ArrowTable::texts(const std::string& name) const {
  const std::size_t number = column(name);
  if (!is_text(name)) throw Error(ErrorCode::data, fmt::format("X: column '{}' is not text", name));
  std::vector<std::string> out;
  out.reserve(rows_);
  for (std::size_t piece = 0; piece < pieces_->arrays.size(); ++piece) {
    const ArrowColumn column = pieces_->column(piece, number);
    for (std::int64_t row = 0; row < column.rows; ++row) {
      if (column.null(row))
        throw Error(ErrorCode::data,
                    fmt::format("X: column '{}' has no value in row {}", name, out.size()));
      out.emplace_back(text_at(column, row));
    }
  }
  return out;
}

}  // namespace podium::python

#include "data/formats/csv_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "core/text_scan.h"
#include "data/formats/encode_categories.h"
#include "data/formats/parse_error.h"
#include "data/formats/read_blocks.h"
#include "data/formats/row_piece.h"
#include "distributed/on_every_rank.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();
constexpr float kAbsent = 0;  // every field is present; sparse rows do not store zeros

// 32-bit numbers, truth values and what is written for a missing value.
struct FieldValue {
  ScanStatus status = ScanStatus::malformed;
  float value = 0;
};

FieldValue value_of(std::string_view field) {
  if (field.empty() || field == "NA") return {ScanStatus::missing, kMissing};
  if (const auto truth = truth_value(field)) return {ScanStatus::number, *truth};
  std::string padded(field);
  padded += '\n';
  padded.append(8, '\0');
  const FloatScan scan = scan_float(padded.data());
  if (scan.end != padded.data() + field.size()) return {};
  return {scan.status, scan.status == ScanStatus::missing ? kMissing : scan.value};
}

// Scans the fields of one line after another. `end` is the line's '\n'.
class FieldScanner {
 public:
  FieldScanner(char separator, std::size_t line) : separator_(separator), line_(line) {}

  // The field at p, without quotes and surrounding spaces; moves p past its separator or to end.
  // The result is valid until the next call.
  std::string_view take(const char*& p, const char* end) {
    while (*p == ' ') ++p;
    if (*p == '"') return take_quoted(p, end);
    const void* found = std::memchr(p, separator_, static_cast<std::size_t>(end - p));
    const char* stop = found ? static_cast<const char*>(found) : end;
    std::string_view field(p, static_cast<std::size_t>(stop - p));
    while (!field.empty() && (field.back() == ' ' || field.back() == '\r')) field.remove_suffix(1);
    p = stop;
    return field;
  }

 private:
  std::string_view take_quoted(const char*& p, const char* end) {
    unquoted_.clear();
    for (++p;; ++p) {
      if (p >= end)
        throw Error(ErrorCode::data, "a quoted field does not end on its line", {"", line_});
      if (*p != '"')
        unquoted_ += *p;
      else if (p[1] == '"')
        unquoted_ += *p++;
      else
        break;
    }
    for (++p; p < end && (*p == ' ' || *p == '\r');) ++p;
    if (p < end && *p != separator_)
      throw Error(ErrorCode::data, "text after the closing quote of a field", {"", line_});
    return unquoted_;
  }

  char separator_;
  std::size_t line_;
  std::string unquoted_;
};

class CsvParser {
 public:
  CsvParser(const CsvHeader& header, const ReadOptions& options)
      : header_(header),
        separator_(header.separator),
        max_line_bytes_(options.max_line_bytes),
        values_(header.names.size()),
        label_values_(header.label_columns.size()),
        categories_(static_cast<std::size_t>(
            std::count(header.roles.begin(), header.roles.end(), Role::category))) {}

  RowPiece parse(std::string_view text) {
    try {
      for (const char *p = text.data(), *const end = p + text.size(); p < end;) {
        ++piece_.lines;
        line_end_ =
            static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p)));
        if (line_end_ - p > max_line_bytes_)
          fail(fmt::format(
              "the line is longer than {} bytes; raise ‹max-line-bytes› if that is intended",
              max_line_bytes_));
        line_begin_ = p;
        if (!is_blank_line(p)) parse_row(p);
        p = line_end_ + 1;
      }
      piece_.finish(kAbsent);
      for (CategoryNumbers& column : categories_) piece_.categories.push_back({column.take()});
    } catch (const Error& error) {
      piece_.error = error;
    }
    return std::move(piece_);
  }

 private:
  bool is_blank_line(const char* p) const {
    while (p < line_end_ && is_blank(*p)) ++p;
    return p == line_end_;
  }

  void parse_row(const char* p) {
    FieldScanner fields(separator_, piece_.lines);
    features_ = 0;
    category_ = 0;
    const std::size_t columns = header_.names.size();
    for (std::size_t column = 0; column < columns; ++column) {
      if (header_.roles[column] != Role::feature || !scan_feature(p))
        put(column, fields.take(p, line_end_));
      const bool last = column + 1 == columns;
      if (last != (p >= line_end_)) fail_count(columns);
      if (!last) ++p;
    }
    if (!header_.label.empty()) piece_.labels.push_back(computed_label());
    piece_.add_leading({values_.data(), features_});
    piece_.docids.add(piece_.rows() - 1, docid_);
    piece_.hosts.add(piece_.rows() - 1, host_);
  }

  // The common case: a plain number and nothing else. If it returns false, p has not moved.
  bool scan_feature(const char*& p) {
    const FloatScan scan = scan_float(p);
    if (scan.status != ScanStatus::number) return false;
    const char* end = scan.end;
    if (*end == '\r' && end + 1 == line_end_) ++end;
    if (*end != separator_ && end != line_end_) return false;
    p = end;
    values_[features_++] = scan.value;
    return true;
  }

  void put(std::size_t column, std::string_view field) {
    const std::string& name = header_.names[column];
    switch (header_.roles[column]) {
      case Role::feature:
        values_[features_++] = feature(column, field);
        break;
      case Role::category:
        values_[features_++] = category(name, field);
        break;
      case Role::ignored:
        break;
      case Role::label:
        piece_.labels.push_back(number(name, field));
        break;
      case Role::label_part:
        put_label_part(column, number(name, field));
        break;
      case Role::query_weight: {
        const float weight = number(name, field);
        if (weight < 0) fail(fmt::format("'{}' is '{}': weights must be >= 0", name, field));
        piece_.query_weights.push_back(weight);
        break;
      }
      case Role::qid:
        if (field.empty()) fail(fmt::format("'{}' is empty", name));
        piece_.qids.see_with(piece_.lines);
        piece_.add_qid(field);
        break;
      case Role::docid:
        docid_ = field;
        break;
      case Role::host:
        host_ = field;
        break;
      case Role::weight: {
        const float weight = number(name, field);
        if (weight < 0) fail(fmt::format("'{}' is '{}': weights must be >= 0", name, field));
        piece_.document_weights.push_back(weight);
        break;
      }
      case Role::position:
        piece_.position_values.push_back(position(name, field));
        break;
    }
  }

  void put_label_part(std::size_t column, float value) {
    for (std::size_t i = 0; i < label_values_.size(); ++i)
      if (header_.label_columns[i] == column) label_values_[i] = value;
  }

  float computed_label() const {
    const double value = header_.label.value(label_values_);
    if (std::isfinite(static_cast<float>(value))) return static_cast<float>(value);
    fail(fmt::format("the label {} is {}, which is not a finite number", header_.label.text(),
                     value));
  }

  // A value without which a row has no meaning.
  float number(const std::string& name, std::string_view field) const {
    const FieldValue found = value_of(field);
    if (found.status == ScanStatus::number) return found.value;
    fail(number_problem(fmt::format("'{}'", name), shortened(field),
                        field.empty() ? ScanStatus::malformed : found.status));
  }

  float feature(std::size_t column, std::string_view field) const {
    const FieldValue found = value_of(field);
    if (found.status == ScanStatus::number || found.status == ScanStatus::missing)
      return found.value;
    if (header_.spare[column]) return kMissing;
    const std::string& name = header_.names[column];
    const std::string problem =
        number_problem(fmt::format("'{}'", name), shortened(field), found.status);
    fail(found.status == ScanStatus::malformed ? problem + text_advice(column) : problem);
  }

  // What to do about text in a column, and in which others there is text on the same line.
  std::string text_advice(std::size_t column) const {
    std::vector<std::string> columns = {header_.names[column]};
    FieldScanner fields(separator_, piece_.lines);
    const char* p = line_begin_;
    for (std::size_t other = 0; other < header_.names.size(); ++other) {
      const std::string_view field = fields.take(p, line_end_);
      if (other > column && header_.roles[other] == Role::feature && !header_.spare[other] &&
          value_of(field).status == ScanStatus::malformed)
        columns.push_back(header_.names[other]);
      if (p++ >= line_end_) break;
    }
    const std::string list = fmt::format("{}", fmt::join(columns, ","));
    columns.erase(columns.begin());
    return fmt::format("{}; ‹ignore {}› leaves {} out, ‹categorical› makes categories of columns",
                       columns.empty() ? "" : fmt::format(" (nor is {})", fmt::join(columns, ", ")),
                       list, columns.empty() ? "it" : "them");
  }

  float category(const std::string& name, std::string_view field) {
    CategoryNumbers& numbers = categories_[category_++];
    if (means_missing(field)) return kMissing;
    const std::size_t number = numbers.number_of(field);
    if (number >= kMostCategories)
      fail(fmt::format("'{}' has more than {} categories", name, kMostCategories));
    return static_cast<float>(number);
  }

  std::int32_t position(const std::string& name, std::string_view field) {
    std::int32_t value = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (error != std::errc() || end != field.data() + field.size() || value < 0)
      fail(fmt::format("'{}' is '{}', which is not a position (0, 1, …)", name, shortened(field)));
    return value;
  }

  [[noreturn]] void fail(std::string_view message) const {
    throw Error(ErrorCode::data, message, {"", piece_.lines});
  }
  [[noreturn]] void fail_count(std::size_t columns) const {
    fail(fmt::format("the row does not have {} fields, as the {} does", columns,
                     header_.lines > 0 ? "header" : "first one"));
  }

  const CsvHeader& header_;
  char separator_;
  std::int64_t max_line_bytes_;
  RowPiece piece_;

  const char *line_begin_ = nullptr, *line_end_ = nullptr;
  std::vector<float> values_;
  std::vector<double> label_values_;
  std::size_t features_ = 0, category_ = 0;
  std::vector<CategoryNumbers> categories_;
  std::string docid_, host_;
};

// A source whose first block has already been partly read.
class Continued final : public TextSource {
 public:
  Continued(TextBlock rest, TextSource& source) : rest_(std::move(rest)), source_(source) {}
  std::optional<TextBlock> next() override {
    if (rest_.text.empty()) return source_.next();
    return std::exchange(rest_, {});
  }

 private:
  TextBlock rest_;
  TextSource& source_;
};

std::vector<std::string> split_header(std::string_view line, char separator,
                                      const std::string& file) {
  std::vector<std::string> names;
  FieldScanner fields(separator, 1);
  const char* p = line.data();
  const char* const end = p + line.size();
  try {
    for (;;) {
      names.emplace_back(fields.take(p, end));
      if (p >= end) return names;
      ++p;
    }
  } catch (const Error& error) {
    throw Error(error.code(), error.message(), {file, error.where().line});
  }
}

}  // namespace

std::optional<float> truth_value(std::string_view field) {
  for (const std::string_view word : {"True", "true", "TRUE"})
    if (field == word) return 1.0f;
  for (const std::string_view word : {"False", "false", "FALSE"})
    if (field == word) return 0.0f;
  return std::nullopt;
}

CsvHeader read_csv_header(std::string_view line, char usual, const ReadOptions& options,
                          const std::string& file, Observer& observer) {
  if (static_cast<std::int64_t>(line.size()) > options.max_line_bytes)
    throw Error(
        ErrorCode::data,
        fmt::format("the line is longer than {} bytes; raise ‹max-line-bytes› if that is intended",
                    options.max_line_bytes),
        {file, 1});
  const char separator = choose_separator(line, usual, options);
  std::vector<std::string> names = split_header(line, separator, file);
  ReadOptions said = options;
  if (options.no_header) {
    for (std::size_t i = 0; i < names.size(); ++i) names[i] = std::to_string(i + 1);
    if (said.label_column.empty() && said.label.empty()) said.label_column = "1";
    if (said.qid_column.empty()) said.qid_column = "2";
  }
  CsvHeader header = make_header(std::move(names), said, file);
  header.separator = separator;
  header.lines = options.no_header ? 0 : 1;
  if (!header.note.empty()) observer.note(fmt::format("{}: {}", file, header.note));
  return header;
}

RowPiece parse_csv(const TextBlock& block, const CsvHeader& header, const ReadOptions& options) {
  return CsvParser(header, options).parse(block.text);
}

Dataset read_csv(TextSource& source, char usual, const ReadOptions& options, RowContext around,
                 Context& context, FeatureColumns features) {
  CsvHeader header;
  std::optional<TextBlock> first;
  on_every_rank(context.comm, [&] {
    first = source.next();
    if (!first) throw Error(ErrorCode::data, "the file is empty", {around.file});
    const std::size_t header_end = first->text.find('\n');
    header = read_csv_header(first->text.substr(0, header_end), usual, options, around.file,
                             context.observer);
    if (header.lines > 0) first->text.remove_prefix(header_end + 1);
    if (features == FeatureColumns::all_categories)
      std::replace(header.roles.begin(), header.roles.end(), Role::feature, Role::category);
  });
  Continued rest(*std::move(first), source);
  return read_csv_rows(rest, header, options, std::move(around), context);
}

Dataset read_csv_rows(TextSource& source, const CsvHeader& header, const ReadOptions& options,
                      RowContext around, Context& context) {
  around.header_lines = header.lines;
  around.absent = kAbsent;
  around.feature_names = header.feature_names();
  around.features = around.feature_names.size();
  around.categories = header.category_features();
  around.ignored = header.ignored_names();
  std::vector<RowPiece> pieces;
  on_every_rank(context.comm, [&] {
    pieces = read_blocks(
        source, around.file,
        [&](const TextBlock& block) { return parse_csv(block, header, options); },
        [&] { return count_lines_before(around); }, context);
  });
  if (pieces.empty()) pieces.emplace_back();
  around.query_weight = header.name_of(Role::query_weight);
  DatasetParts parts = assemble(std::move(pieces), std::move(around), context);
  parts.label_expression = header.label.text();
  return Dataset(std::move(parts));
}

}  // namespace podium

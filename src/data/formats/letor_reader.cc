#include "data/formats/letor_reader.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "core/short_number.h"
#include "core/text_scan.h"
#include "data/formats/encode_categories.h"
#include "data/formats/letor_columns.h"
#include "data/formats/letor_comment.h"
#include "data/formats/parse_error.h"
#include "data/formats/read_blocks.h"
#include "data/formats/row_piece.h"
#include "distributed/on_every_rank.h"
#include "podium/error.h"

namespace podium {
namespace {

bool ends_token(char c) {
  return is_blank(c) || c == '\n' || c == '#';
}

class LetorParser {
 public:
  LetorParser(const ReadOptions& options, std::span<const std::uint32_t> categories)
      : first_feature_(static_cast<std::uint64_t>(options.first_feature)),
        max_features_(static_cast<std::uint64_t>(options.max_features)),
        max_line_bytes_(options.max_line_bytes),
        absent_(options.absent == AbsentFeatures::missing ? std::numeric_limits<float>::quiet_NaN()
                                                          : 0.0F),
        category_columns_(categories),
        category_numbers_(categories.size()),
        columns_(256),
        values_(256) {
    piece_.categories.resize(categories.size());
  }

  RowPiece parse(std::string_view text) {
    const char* p = text.data();
    end_ = p + text.size();
    piece_.expect(text.size());
    try {
      while (p < end_) {
        ++piece_.lines;
        line_ = p;
        p = parse_line(p);
        if (p - line_ - 1 > max_line_bytes_) fail(line_, "");
      }
      piece_.finish(absent_);
      for (std::size_t c = 0; c < category_columns_.size(); ++c)
        piece_.categories[c].values = category_numbers_[c].take();
    } catch (const Error& error) {
      piece_.error = error;
    }
    return std::move(piece_);
  }

 private:
  // Each of these takes the position where its text begins and returns where it ends.
  const char* parse_line(const char* p) {
    while (is_blank(*p)) ++p;
    if (*p == '\n') return p + 1;
    if (*p == '#') return line_end(p) + 1;
    p = parse_label(p);
    count_ = 0;
    is_leading_ = is_ascending_ = true;
    qid_ = {};
    p = parse_features(p);
    add_row();
    if (*p == '#') {
      const char* const end = line_end(p);
      const RowComment comment = parse_comment({p + 1, static_cast<std::size_t>(end - p - 1)});
      piece_.docids.add(piece_.rows() - 1, comment.docid);
      piece_.hosts.add(piece_.rows() - 1, comment.host);
      p = end;
    }
    return p + 1;
  }

  const char* parse_label(const char* p) {
    const FloatScan label = scan_float(p);
    if (label.status != ScanStatus::number) fail_number(p, label.status, "the label");
    piece_.labels.push_back(label.value);
    if (*label.end != ':') {
      if (!ends_token(*label.end)) fail_number(p, ScanStatus::malformed, "the label");
      piece_.weights.see_without(piece_.lines);
      return label.end;
    }
    const FloatScan weight = scan_float(label.end + 1);
    if (weight.status != ScanStatus::number || !ends_token(*weight.end) || weight.value < 0)
      fail(p, fmt::format("'{}': the weight after the label must be a number >= 0", token_at(p)));
    piece_.document_weights.push_back(weight.value);
    piece_.weights.see_with(piece_.lines);
    return weight.end;
  }

  const char* parse_features(const char* p) {
    std::uint64_t last = 0;  // one more than the last column
    for (;;) {
      if (is_leading_) {
        p = parse_leading(p);
        last = count_;
      }
      while (is_blank(*p)) ++p;
      if (!is_digit(*p)) {
        if (*p == '\n' || *p == '#') return p;
        p = parse_qid(p);
        continue;
      }
      const char* const begin = p;
      std::uint64_t id = 0;
      do id = id * 10 + static_cast<std::uint64_t>(*p++ - '0');
      while (is_digit(*p));
      const std::uint64_t column = id - first_feature_;
      if (column >= max_features_ || *p != ':' || p - begin > 18) fail_feature(begin, p);
      FloatScan value = scan_float(++p);
      if (value.status > ScanStatus::missing || !ends_token(*value.end)) {
        if (!ends_token(*p)) fail_value(begin, p, value);
        value = {p, std::numeric_limits<float>::quiet_NaN(), ScanStatus::missing};  // empty
      }
      p = value.end;
      make_room();
      is_leading_ &= column == count_;
      is_ascending_ &= column >= last;
      last = column + 1;
      columns_[count_] = static_cast<std::uint32_t>(column);
      values_[count_++] = value.value;
    }
  }

  // Parses as many of the features 1, 2, … as are consecutive and in the usual form: a blank, the
  // id, and a short number. Their text is known except for the number's length.
  const char* parse_leading(const char* p) {
    const std::size_t first = count_;
    const char* last = p;  // where the last one began
    for (;;) {
      if (!expect(count_)) break;
      make_room();
      last = parse_expected(p, last);
      if (count_ < expected_.size()) break;
    }
    if (count_ > first && !ends_token(*p)) {
      --count_;
      p = last;
    }
    std::iota(columns_.data() + first, columns_.data() + count_, static_cast<std::uint32_t>(first));
    return p;
  }

  // Parses those whose ids are already known. Moves p past them, and returns where the last one
  // began.
  const char* parse_expected(const char*& p, const char* last) {
    float* const values = values_.data();
    const std::size_t end = std::min(expected_.size(), values_.size());
    std::size_t count = count_;
    for (; count < end; ++count) {
      const ExpectedId& id = expected_[count];
      std::uint64_t word;
      std::memcpy(&word, p, 8);
      if ((word & id.mask) != id.text) break;
      const ShortNumber value = scan_short(p + id.size);
      if (value.size == 0) break;
      values[count] = value.value;
      last = p;
      p += id.size + value.size;
    }
    count_ = count;
    return last;
  }

  // Fills expected_ up to this column; false if it is beyond the last, or beyond the table's limit.
  bool expect(std::uint64_t column) {
    constexpr std::uint64_t kMost = 4096;
    if (column >= std::min(max_features_, kMost)) return false;
    while (expected_.size() <= column) {
      const std::string text = fmt::format(" {}:", expected_.size() + first_feature_);
      ExpectedId id;
      if (text.size() > sizeof(id.text)) return false;
      std::memcpy(&id.text, text.data(), text.size());
      id.mask = ~std::uint64_t{0} >> (64 - 8 * text.size());
      id.size = text.size();
      expected_.push_back(id);
    }
    return true;
  }

  void make_room() {
    if (count_ < values_.size()) return;
    values_.resize(2 * count_);
    columns_.resize(2 * count_);
  }

  const char* parse_qid(const char* p) {
    if (std::memcmp(p, "qid:", 4) != 0) fail_token(p);
    const char* const begin = p + 4;
    for (p = begin; *p != '\n' && !is_blank(*p);) ++p;
    if (p == begin) fail(p, "'qid:' without an id");
    if (!qid_.empty()) fail(p, "a second qid in one row");
    qid_ = {begin, static_cast<std::size_t>(p - begin)};
    return p;
  }

  void add_row() {
    if (qid_.empty())
      piece_.qids.see_without(piece_.lines);
    else
      piece_.qids.see_with(piece_.lines);
    piece_.add_qid(qid_);
    if (!is_ascending_) sort_row();
    for (std::size_t c = 0; c < category_columns_.size(); ++c) number_category(c);
    if (is_leading_)
      piece_.add_leading({values_.data(), count_});
    else
      piece_.add_entries({columns_.data(), count_}, {values_.data(), count_});
  }

  void sort_row() {
    std::vector<std::pair<std::uint32_t, float>> entries(count_);
    for (std::size_t i = 0; i < count_; ++i) entries[i] = {columns_[i], values_[i]};
    std::sort(entries.begin(), entries.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    is_leading_ = true;
    for (std::size_t i = 0; i < count_; ++i) {
      if (i > 0 && entries[i].first == entries[i - 1].first)
        fail(line_, fmt::format("feature {} is given twice in one row",
                                entries[i].first + first_feature_));
      is_leading_ &= entries[i].first == i;
      columns_[i] = entries[i].first;
      values_[i] = entries[i].second;
    }
  }

  // Replaces the code that the row has in a column of categories by its number in the piece. Rows
  // that do not mention the feature have 0, or a missing value.
  void number_category(std::size_t c) {
    const std::uint32_t column = category_columns_[c];
    const auto end = columns_.begin() + static_cast<std::ptrdiff_t>(count_);
    const auto found = std::lower_bound(columns_.begin(), end, column);
    if (found == end || *found != column) {
      piece_.categories[c].has_zero |= absent_ == 0;
      return;
    }
    float& value = values_[static_cast<std::size_t>(found - columns_.begin())];
    if (value != value) return;
    if (!(value >= 0 && value < static_cast<float>(kMostCategories)) || value != std::floor(value))
      fail(line_,
           fmt::format(
               "the value of feature {} is {}: codes of categories are whole numbers from 0 to {}",
               column + first_feature_, value, kMostCategories - 1));
    if (value == 0) {
      piece_.categories[c].has_zero = true;
      value = 0;  // −0 too
    } else {
      const std::string code = std::to_string(static_cast<std::uint32_t>(value));
      value = static_cast<float>(category_numbers_[c].number_of(code));
    }
  }

  const char* line_end(const char* p) const {
    const void* const end = std::memchr(p, '\n', static_cast<std::size_t>(end_ - p));
    return end ? static_cast<const char*>(end)
               : end_ - 1;  // null: another process wrote to the file
  }

  [[noreturn]] void fail(const char* near, std::string_view message) const {
    const std::ptrdiff_t length = line_end(near) - line_;
    if (length > max_line_bytes_)
      throw Error(
          ErrorCode::data,
          fmt::format(
              "the line is longer than {} bytes; raise ‹max-line-bytes› if that is intended",
              max_line_bytes_),
          {"", piece_.lines});
    throw Error(ErrorCode::data, message, {"", piece_.lines});
  }
  [[noreturn]] void fail_number(const char* p, ScanStatus status, std::string_view what) const {
    fail(p, number_problem(what, token_at(p), status));
  }
  [[noreturn]] void fail_token(const char* p) const {
    if (*p == '-' && is_digit(p[1]))
      fail(p, fmt::format("'{}': feature ids cannot be negative", token_at(p)));
    fail(p, fmt::format("'{}' is neither `qid:ID` nor `FEATURE:VALUE`", token_at(p)));
  }
  [[noreturn]] void fail_feature(const char* begin, const char* p) const {
    if (*p != ':')
      fail(begin, fmt::format("'{}' is not of the form FEATURE:VALUE", token_at(begin)));
    const std::string_view id(begin, static_cast<std::size_t>(p - begin));
    if (id.find_first_not_of('0') == std::string_view::npos && first_feature_ == 1)
      fail(begin,
           "feature 0: ids are counted from 1; read a file that counts from 0 with ‹first-feature "
           "0›");
    fail(begin, fmt::format("feature {}: ids go up to {}; raise ‹max-features› if that is intended",
                            shortened(id), max_features_ + first_feature_ - 1));
  }
  [[noreturn]] void fail_value(const char* begin, const char* p, const FloatScan& value) const {
    const std::string_view id(begin, static_cast<std::size_t>(p - begin - 1));
    const ScanStatus status =
        value.status > ScanStatus::missing ? value.status : ScanStatus::malformed;
    fail_number(p, status, fmt::format("the value of feature {}", id));
  }

  // The text before a column's value as one word, in text order.
  struct ExpectedId {
    std::uint64_t text = 0, mask = 0;
    std::size_t size = 0;
  };

  std::uint64_t first_feature_, max_features_;
  std::vector<ExpectedId> expected_;  // by column
  std::int64_t max_line_bytes_;
  float absent_;
  std::span<const std::uint32_t> category_columns_;
  std::vector<CategoryNumbers> category_numbers_;  // one per column
  RowPiece piece_;

  // The current row.
  const char *line_ = nullptr, *end_ = nullptr;
  std::vector<std::uint32_t> columns_;
  std::vector<float> values_;
  std::size_t count_ = 0;
  bool is_leading_ = true, is_ascending_ = true;
  std::string_view qid_;
};

}  // namespace

RowPiece parse_letor(const TextBlock& block, const ReadOptions& options,
                     std::span<const std::uint32_t> categories) {
  return LetorParser(options, categories).parse(block.text);
}

Dataset read_letor(TextSource& source, const ReadOptions& options, RowContext around,
                   Context& context) {
  std::vector<RowPiece> pieces;
  std::vector<LetorColumn> columns;
  on_every_rank(context.comm, [&] {
    columns = letor_columns(options);
    around.categories = category_columns(columns);
    pieces = read_blocks(
        source, around.file,
        [&](const TextBlock& block) { return parse_letor(block, options, around.categories); },
        [&] { return count_lines_before(around); }, context);
  });
  if (options.absent == AbsentFeatures::missing)
    around.absent = std::numeric_limits<float>::quiet_NaN();
  around.first_feature = options.first_feature;
  const std::string file = around.file;
  const Dataset data(assemble(std::move(pieces), std::move(around), context));
  return without_ignored(columns, data, file, context);
}

}  // namespace podium

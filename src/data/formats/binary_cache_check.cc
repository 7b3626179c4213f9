#include "data/formats/binary_cache_check.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>
#include <xxhash.h>

#include "podium/error.h"

namespace podium {
namespace {

using cache::Kind;

constexpr std::string_view kAdvice = "recreate the file with `podium prepare`";

// The array that an array of offsets points into.
Kind target_of(Kind offsets) {
  switch (offsets) {
    case Kind::query_begin:
      return Kind::labels;
    case Kind::row_begin:
      return Kind::columns;
    case Kind::qid_begin:
      return Kind::qid_chars;
    case Kind::name_begin:
      return Kind::name_chars;
    case Kind::docid_begin:
      return Kind::docid_chars;
    case Kind::category_begin:
      return Kind::category_chars;
    case Kind::ignored_begin:
      return Kind::ignored_chars;
    default:
      return Kind::host_chars;
  }
}

}  // namespace

CacheCheck::CacheCheck(std::string_view bytes, std::string file)
    : bytes_(bytes), file_(std::move(file)), stamp_(file_) {
  std::memcpy(&header_, bytes.data(), sizeof(header_));
  sections_.resize(header_.section_count);
  const std::size_t table = sections_.size() * sizeof(cache::Section);
  if (table) std::memcpy(sections_.data(), bytes.data() + sizeof(header_), table);
  checksums_ = bytes.data() + sizeof(header_) + table;
  checked_ = std::make_unique<std::atomic<bool>[]>(header_.block_count);
}

const cache::Section* CacheCheck::find(Kind kind) const noexcept {
  for (const cache::Section& section : sections_)
    if (section.kind == kind) return &section;
  return nullptr;
}

void CacheCheck::touch(const void* begin, const void* end) const {
  const char* const data = bytes_.data() + header_.header_bytes;
  const auto first = static_cast<std::size_t>(static_cast<const char*>(begin) - data);
  const auto last = static_cast<std::size_t>(static_cast<const char*>(end) - data) - 1;
  for (std::size_t block = first / cache::kBlockBytes; block <= last / cache::kBlockBytes; ++block)
    if (!checked_[block].load(std::memory_order_acquire)) check_block(block);
}

void CacheCheck::check_block(std::size_t block) const {
  stamp_.require_unchanged();
  const std::uint64_t begin = header_.header_bytes + block * cache::kBlockBytes;
  const std::uint64_t end = std::min(begin + cache::kBlockBytes, header_.file_bytes);
  std::uint64_t expected = 0;
  std::memcpy(&expected, checksums_ + block * sizeof(expected), sizeof(expected));
  if (XXH3_64bits(bytes_.data() + begin, end - begin) != expected)
    throw Error(ErrorCode::data,
                fmt::format("bytes {} to {} are damaged: {}", begin, end - 1, kAdvice), {file_});
  for (const cache::Section& section : sections_) {
    const std::uint64_t section_end = section.offset + section.count * section.element_bytes;
    const std::uint64_t from = std::max(begin, section.offset), to = std::min(end, section_end);
    if (from < to)
      check_meaning(section, (from - section.offset) / section.element_bytes,
                    (to - section.offset + section.element_bytes - 1) / section.element_bytes);
  }
  checked_[block].store(true, std::memory_order_release);
}

void CacheCheck::check_meaning(const cache::Section& section, std::size_t begin,
                               std::size_t end) const {
  const auto require_all = [&](auto good, std::string_view what) {
    const auto part = elements<float>(section).subspan(begin, end - begin);
    if (!std::all_of(part.begin(), part.end(), good))
      throw Error(ErrorCode::data, fmt::format("{}: {}", what, kAdvice), {file_});
  };
  switch (section.kind) {
    case Kind::labels:
      return require_all([](float v) { return std::isfinite(v); }, "a label is not finite");
    case Kind::document_weights:
    case Kind::query_weights:
      return require_all([](float v) { return std::isfinite(v) && v >= 0; },
                         "a weight is negative or not finite");
    case Kind::dense:
    case Kind::values:
      require_all([](float v) { return !std::isinf(v); }, "a value is infinite");
      return check_codes(section, begin, end);
    case Kind::columns:
      return check_columns(section, begin, end);
    case Kind::query_begin:
    case Kind::row_begin:
    case Kind::qid_begin:
    case Kind::name_begin:
    case Kind::docid_begin:
    case Kind::host_begin:
    case Kind::category_first:
    case Kind::category_begin:
    case Kind::ignored_begin:
      return check_offsets(section, begin, end);
    case Kind::qid_chars:
    case Kind::name_chars:
    case Kind::docid_chars:
    case Kind::host_chars:
    case Kind::positions:
    case Kind::category_features:
    case Kind::category_chars:
    case Kind::ignored_chars:
      return;
  }
}

std::uint64_t CacheCheck::last_offset(Kind kind) const {
  if (kind == Kind::category_first) return find(Kind::category_begin)->count - 1;
  const cache::Section* target = find(target_of(kind));
  return target ? target->count : 0;
}

// For features that are categories: a valid code, or missing. The arrays that list these features
// may be unchecked at this point; any numbers are safe here, and opening the file checks them.
void CacheCheck::check_codes(const cache::Section& section, std::size_t begin,
                             std::size_t end) const {
  const cache::Section* const categories = find(Kind::category_features);
  if (!categories || header_.features == 0) return;
  const auto features = elements<std::uint32_t>(*categories);
  const auto first = elements<std::uint64_t>(*find(Kind::category_first));
  const auto values = elements<float>(section);
  const auto check = [&](std::size_t i, std::size_t column) {
    const auto found = std::lower_bound(features.begin(), features.end(), column);
    if (found == features.end() || *found != column || std::isnan(values[i])) return;
    const auto c = static_cast<std::size_t>(found - features.begin());
    if (c + 1 >= first.size()) return;  // refused when the schema is built
    const auto code = code_of(values[i], first[c + 1] - first[c]);
    if (!code || static_cast<float>(*code) != values[i])
      throw Error(ErrorCode::data,
                  fmt::format("a value is not the code of a category: {}", kAdvice), {file_});
  };
  if (section.kind == Kind::values) {
    const cache::Section* const columns = find(Kind::columns);
    if (!columns || columns->count < end) return;  // refused when the arrays are assembled
    for (std::size_t i = begin; i < end; ++i) check(i, elements<std::uint32_t>(*columns)[i]);
    return;
  }
  for (std::size_t row = begin / header_.features * header_.features; row < end;
       row += header_.features)
    for (const std::uint32_t feature : features)
      if (feature < header_.features && row + feature >= begin && row + feature < end)
        check(row + feature, feature);
}

// Also reads the element before the range, without checking its block: that can only make this
// check stricter.
void CacheCheck::check_offsets(const cache::Section& section, std::size_t begin,
                               std::size_t end) const {
  const auto offsets = elements<std::uint64_t>(section);
  const std::uint64_t last = last_offset(section.kind);
  bool good = (begin > 0 || offsets[0] == 0) && (end < offsets.size() || offsets[end - 1] == last);
  for (std::size_t i = begin; good && i < end; ++i)
    good = offsets[i] <= last && (i == 0 || offsets[i - 1] <= offsets[i]);
  if (!good)
    throw Error(ErrorCode::data, fmt::format("offsets are out of order: {}", kAdvice), {file_});
}

void CacheCheck::check_columns(const cache::Section& section, std::size_t begin,
                               std::size_t end) const {
  const auto columns = elements<std::uint32_t>(section);
  // Row offsets; not checked yet, but any numbers are safe for this search.
  const auto rows = elements<std::uint64_t>(*find(Kind::row_begin));
  auto row = std::lower_bound(rows.begin(), rows.end(), begin);
  for (std::size_t i = begin; i < end; ++i) {
    while (row != rows.end() && *row < i) ++row;
    const bool starts_row = row != rows.end() && *row == i;
    if (columns[i] >= header_.features || (!starts_row && i > 0 && columns[i - 1] >= columns[i]))
      throw Error(ErrorCode::data, fmt::format("columns are out of order: {}", kAdvice), {file_});
  }
}

}  // namespace podium

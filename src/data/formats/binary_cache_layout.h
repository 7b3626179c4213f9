// The layout of a .podium file; docs/formats/podium-cache.md describes it. All numbers are
// little-endian.
//
//   header | section table | block checksums | padding | data
//
// The data is what follows the first header_bytes bytes; it is checked in blocks of kBlockBytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace podium::cache {

inline constexpr std::array<char, 8> kMagic = {'\x89', 'P', 'O', 'D', 'I', 'U', 'M', '\n'};
// Files whose features are all numbers have version 1; categories and ignored columns need 2.
inline constexpr std::uint32_t kVersion = 1, kSchemaVersion = 2;
inline constexpr std::uint32_t kByteOrder = 0x01020304;
inline constexpr std::uint64_t kBlockBytes = std::uint64_t{1} << 20;
inline constexpr std::uint64_t kSectionAlignment = 64;
inline constexpr std::uint64_t kDataAlignment = 4096;

struct Header {
  std::array<char, 8> magic = kMagic;
  std::uint32_t version = kVersion;
  std::uint32_t byte_order = kByteOrder;
  std::uint64_t checksum = 0;  // xxh3 of the first header_bytes bytes, with this field 0
  std::uint64_t file_bytes = 0;
  std::uint64_t header_bytes = 0;  // where the data begins
  std::uint64_t block_count = 0;
  std::uint64_t documents = 0;
  std::uint64_t queries = 0;
  std::uint64_t features = 0;
  std::uint32_t absent_bits = 0;  // the float that sparse rows do not store: 0 or a NaN
  std::uint32_t section_count = 0;
};
static_assert(sizeof(Header) == 80);

enum class Kind : std::uint32_t {
  query_begin = 1,
  labels,
  qid_begin,
  qid_chars,
  name_begin,  // of features
  name_chars,
  dense,
  row_begin,  // present: the features are sparse
  columns,
  values,
  docid_begin,
  docid_chars,
  host_begin,
  host_chars,
  document_weights,
  query_weights,
  positions,
  category_features,  // which features are categories; ascending
  category_first,     // where the values of each begin among all values
  category_begin,     // of the values' texts
  category_chars,
  ignored_begin,  // of the names of columns that were not read
  ignored_chars,
};
inline constexpr std::uint32_t kKinds = 23;
constexpr bool needs_schema_version(Kind kind) {
  return kind >= Kind::category_features;
}

struct Section {
  Kind kind{};
  std::uint32_t element_bytes = 0;
  std::uint64_t offset = 0;  // in the file
  std::uint64_t count = 0;   // elements
};
static_assert(sizeof(Section) == 24);

constexpr std::uint32_t element_bytes(Kind kind) {
  switch (kind) {
    case Kind::query_begin:
    case Kind::qid_begin:
    case Kind::name_begin:
    case Kind::row_begin:
    case Kind::docid_begin:
    case Kind::host_begin:
    case Kind::category_first:
    case Kind::category_begin:
    case Kind::ignored_begin:
      return 8;
    case Kind::qid_chars:
    case Kind::name_chars:
    case Kind::docid_chars:
    case Kind::host_chars:
    case Kind::category_chars:
    case Kind::ignored_chars:
      return 1;
    default:
      return 4;
  }
}

constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

}  // namespace podium::cache

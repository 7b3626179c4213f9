#include <bit>
#include <cmath>
#include <cstring>
#include <memory>

#include <fmt/format.h>

#include "core/mapped_file.h"
#include "core/page_array.h"
#include "core/stream_hash.h"
#include "data/formats/binary_cache.h"
#include "data/formats/binary_cache_check.h"
#include "data/formats/binary_cache_layout.h"
#include "podium/error.h"

namespace podium {
namespace {

using cache::Kind;

class HeaderCheck {
 public:
  HeaderCheck(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) {}

  void check() {
    if (bytes_.size() < sizeof(header_)) fail("not a .podium file: it is too short");
    std::memcpy(&header_, bytes_.data(), sizeof(header_));
    if (header_.magic != cache::kMagic) fail("not a .podium file");
    if (header_.byte_order != cache::kByteOrder)
      fail("written on a machine with another byte order: make it again on this one");
    if (header_.version < cache::kVersion || header_.version > cache::kSchemaVersion)
      fail(
          fmt::format("version {} of the .podium format, but this program reads version {}: make "
                      "the file again with `podium prepare`",
                      header_.version, cache::kSchemaVersion));
    if (header_.file_bytes != bytes_.size())
      fail(fmt::format("the file is truncated or has grown: {} bytes instead of {}", bytes_.size(),
                       header_.file_bytes));
    check_header_size();
    check_checksum();
    check_sections();
  }

 private:
  [[noreturn]] void fail(std::string_view message) const {
    throw Error(ErrorCode::data, message, {file_});
  }
  [[noreturn]] void fail_damaged() const {
    fail("the header is damaged: make the file again with `podium prepare`");
  }

  void check_header_size() const {
    const std::uint64_t size = header_.header_bytes;
    if (size > bytes_.size() || size % cache::kSectionAlignment != 0) fail_damaged();
    const std::uint64_t blocks =
        cache::round_up(bytes_.size() - size, cache::kBlockBytes) / cache::kBlockBytes;
    if (header_.block_count != blocks || header_.section_count > cache::kKinds ||
        sizeof(header_) + header_.section_count * sizeof(cache::Section) +
                blocks * sizeof(std::uint64_t) >
            size)
      fail_damaged();
  }

  void check_checksum() const {
    cache::Header unsigned_header = header_;
    unsigned_header.checksum = 0;
    StreamHash hash;
    hash.add(std::span<const cache::Header>(&unsigned_header, 1));
    hash.add(bytes_.substr(sizeof(header_), header_.header_bytes - sizeof(header_)));
    if (hash.value() != header_.checksum) fail_damaged();
  }

  void check_sections() const {
    std::uint32_t seen = 0;
    for (std::uint32_t i = 0; i < header_.section_count; ++i) {
      cache::Section section;
      std::memcpy(&section, bytes_.data() + sizeof(header_) + i * sizeof(section), sizeof(section));
      const auto kind = static_cast<std::uint32_t>(section.kind);
      if (kind == 0 || kind > cache::kKinds || (seen >> kind & 1U)) fail_damaged();
      seen |= 1U << kind;
      if (header_.version == cache::kVersion && cache::needs_schema_version(section.kind))
        fail_damaged();
      if (section.element_bytes != cache::element_bytes(section.kind) || section.count == 0 ||
          section.offset % cache::kSectionAlignment != 0 || section.offset < header_.header_bytes ||
          section.offset > bytes_.size() ||
          section.count > (bytes_.size() - section.offset) / section.element_bytes)
        fail_damaged();
    }
    const auto has = [seen](Kind kind) {
      return (seen >> static_cast<std::uint32_t>(kind) & 1U) != 0;
    };
    if (has(Kind::row_begin) ? has(Kind::dense) : has(Kind::columns) || has(Kind::values))
      fail_damaged();
    if (has(Kind::category_features) != has(Kind::category_first) ||
        has(Kind::category_features) != has(Kind::category_begin))
      fail_damaged();
    if (!has(Kind::query_begin) || !has(Kind::qid_begin) || !has(Kind::name_begin)) fail_damaged();
    const float absent = std::bit_cast<float>(header_.absent_bits);
    if (!std::isnan(absent) && header_.absent_bits != 0) fail_damaged();
  }

  std::string_view bytes_;
  const std::string& file_;
  cache::Header header_;
};

// The mapped bytes and their check, kept alive together by every array.
struct OpenCache {
  std::unique_ptr<const MappedFile> file;
  PageArray<char> copy;
  std::unique_ptr<const CacheCheck> check;
};

class PartsReader {
 public:
  PartsReader(std::shared_ptr<const OpenCache> owner, const std::string& file)
      : owner_(std::move(owner)), file_(file) {}

  DatasetParts read() const {
    const cache::Header& header = owner_->check->header();
    DatasetParts parts;
    parts.query_begin = buffer<std::uint64_t>(Kind::query_begin, header.queries + 1);
    parts.labels = buffer<float>(Kind::labels, header.documents);
    parts.qids = strings(Kind::qid_begin, Kind::qid_chars, header.queries);
    parts.features = header.features;
    parts.feature_names = texts(strings(Kind::name_begin, Kind::name_chars, header.features));
    parts.schema = schema();
    parts.dense = optional<float>(Kind::dense);
    parts.row_begin = optional<std::uint64_t>(Kind::row_begin);
    parts.columns = optional<std::uint32_t>(Kind::columns);
    parts.values = optional<float>(Kind::values);
    parts.absent = std::bit_cast<float>(header.absent_bits);
    parts.docids = strings(Kind::docid_begin, Kind::docid_chars, header.documents);
    parts.hosts = strings(Kind::host_begin, Kind::host_chars, header.documents);
    parts.document_weights = optional<float>(Kind::document_weights);
    parts.query_weights = optional<float>(Kind::query_weights);
    parts.positions = optional<std::int32_t>(Kind::positions);
    if (parts.row_begin.empty() && header.features != 0 &&
        (parts.dense.size() / header.features != header.documents ||
         parts.dense.size() % header.features != 0))
      fail();
    return parts;
  }

 private:
  [[noreturn]] void fail() const {
    throw Error(ErrorCode::data,
                "the header does not fit together: make the file again with `podium prepare`",
                {file_});
  }

  template <class T>
  Buffer<T> optional(Kind kind) const {
    const cache::Section* section = owner_->check->find(kind);
    if (!section) return {};
    const auto* begin = reinterpret_cast<const T*>(owner_->check->bytes().data() + section->offset);
    return Buffer<T>(std::span(begin, section->count), owner_, owner_->check.get());
  }
  template <class T>
  Buffer<T> buffer(Kind kind, std::uint64_t count) const {
    Buffer<T> found = optional<T>(kind);
    if (found.size() != count) fail();
    return found;
  }
  Strings strings(Kind begin, Kind chars, std::uint64_t count) const {
    Strings found{optional<std::uint64_t>(begin), optional<char>(chars)};
    if (!found.begin.empty() && found.size() != count) fail();
    return found;
  }
  static std::vector<std::string> texts(const Strings& stored) {
    std::vector<std::string> all(stored.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = stored[i];
    return all;
  }

  FeatureSchema schema() const {
    const auto features = optional<std::uint32_t>(Kind::category_features);
    const auto first =
        buffer<std::uint64_t>(Kind::category_first, features.empty() ? 0 : features.size() + 1);
    const Strings values{optional<std::uint64_t>(Kind::category_begin),
                         optional<char>(Kind::category_chars)};
    std::vector<FeatureSchema::Category> categories;
    for (std::size_t c = 0; c < features.size(); ++c) {
      const std::uint64_t begin = first[c], end = first[c + 1];
      categories.push_back(
          {features[c], {values.begin.slice(begin, end - begin + 1), values.chars}});
    }
    try {
      return FeatureSchema(std::move(categories),
                           texts({optional<std::uint64_t>(Kind::ignored_begin),
                                  optional<char>(Kind::ignored_chars)}));
    } catch (const Error& error) {
      throw Error(error.code(), error.message(), {file_});
    }
  }

  std::shared_ptr<const OpenCache> owner_;
  const std::string& file_;
};

Dataset open_cache(OpenCache opened, std::string_view bytes, const std::string& file) {
  HeaderCheck(bytes, file).check();
  opened.check = std::make_unique<const CacheCheck>(bytes, file);
  const auto owner = std::make_shared<const OpenCache>(std::move(opened));
  return Dataset(PartsReader(owner, file).read());
}

}  // namespace

Dataset read_binary_cache(const std::string& path) {
  OpenCache opened;
  opened.file = std::make_unique<const MappedFile>(path);
  const std::string_view bytes = opened.file->bytes();
  return open_cache(std::move(opened), bytes, path);
}

Dataset read_binary_cache(std::string_view bytes, const std::string& file) {
  OpenCache opened;
  opened.copy.append(bytes);
  const std::string_view copy(opened.copy.data(), opened.copy.size());
  return open_cache(std::move(opened), copy, file);
}

}  // namespace podium

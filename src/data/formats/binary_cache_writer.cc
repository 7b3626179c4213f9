#include <bit>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include <xxhash.h>

#include "core/output_file.h"
#include "core/stream_hash.h"
#include "data/formats/binary_cache.h"
#include "data/formats/binary_cache_layout.h"

namespace podium {
namespace {

using cache::Kind;

struct Content {
  cache::Section section;
  std::string_view bytes;
};

template <class T>
std::string_view bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

// The arrays that are present, in file order. Offsets are relative to the beginning of the data.
class Contents {
 public:
  template <class T>
  void add(Kind kind, const Buffer<T>& buffer) {
    if (buffer.empty()) return;
    end_ = cache::round_up(end_, cache::kSectionAlignment);
    contents_.push_back(
        {{kind, cache::element_bytes(kind), end_, buffer.size()}, bytes_of(buffer.view())});
    end_ += buffer.bytes();
  }
  void add(Kind begin, Kind chars, const Strings& strings) {
    add(begin, strings.begin);
    add(chars, strings.chars);
  }

  std::vector<Content>& list() noexcept { return contents_; }
  std::uint64_t end() const noexcept { return end_; }

  // All data bytes in order, padding included.
  void stream(const std::function<void(std::string_view)>& sink) const {
    static constexpr std::array<char, cache::kSectionAlignment> kZeros{};
    std::uint64_t at = 0;
    for (const Content& content : contents_) {
      const std::uint64_t begin = cache::round_up(at, cache::kSectionAlignment);
      sink({kZeros.data(), begin - at});
      sink(content.bytes);
      at = begin + content.bytes.size();
    }
  }

 private:
  std::vector<Content> contents_;
  std::uint64_t end_ = 0;
};

// A schema as arrays; all empty if all features are numbers.
struct SchemaArrays {
  Buffer<std::uint32_t> features;
  Buffer<std::uint64_t> first;  // one per category and one more
  Strings values, ignored;
};

SchemaArrays arrays_of(const FeatureSchema& schema) {
  SchemaArrays arrays;
  if (!schema.ignored().empty()) arrays.ignored = make_strings(schema.ignored());
  if (schema.all_numbers()) return arrays;
  std::vector<std::uint32_t> features;
  std::vector<std::uint64_t> first = {0};
  std::vector<std::string> values;
  for (const FeatureSchema::Category& category : schema.categories()) {
    features.push_back(category.feature);
    for (std::size_t i = 0; i < category.values.size(); ++i)
      values.emplace_back(category.values[i]);
    first.push_back(values.size());
  }
  arrays.features = std::move(features);
  arrays.first = std::move(first);
  arrays.values = make_strings(values);
  return arrays;
}

Contents contents_of(const DatasetParts& parts, const Strings& names, const SchemaArrays& schema) {
  Contents contents;
  contents.add(Kind::query_begin, parts.query_begin);
  contents.add(Kind::labels, parts.labels);
  contents.add(Kind::qid_begin, Kind::qid_chars, parts.qids);
  contents.add(Kind::name_begin, Kind::name_chars, names);
  contents.add(Kind::category_features, schema.features);
  contents.add(Kind::category_first, schema.first);
  contents.add(Kind::category_begin, Kind::category_chars, schema.values);
  contents.add(Kind::ignored_begin, Kind::ignored_chars, schema.ignored);
  contents.add(Kind::document_weights, parts.document_weights);
  contents.add(Kind::query_weights, parts.query_weights);
  contents.add(Kind::positions, parts.positions);
  contents.add(Kind::docid_begin, Kind::docid_chars, parts.docids);
  contents.add(Kind::host_begin, Kind::host_chars, parts.hosts);
  contents.add(Kind::dense, parts.dense);
  contents.add(Kind::row_begin, parts.row_begin);
  contents.add(Kind::columns, parts.columns);
  contents.add(Kind::values, parts.values);
  return contents;
}

std::vector<std::uint64_t> block_checksums(const Contents& contents) {
  std::vector<std::uint64_t> checksums;
  StreamHash hash;
  std::uint64_t filled = 0;
  contents.stream([&](std::string_view bytes) {
    while (!bytes.empty()) {
      const std::string_view part = bytes.substr(0, cache::kBlockBytes - filled);
      hash.add(part);
      bytes.remove_prefix(part.size());
      filled += part.size();
      if (filled < cache::kBlockBytes) return;
      checksums.push_back(hash.value());
      hash.reset();
      filled = 0;
    }
  });
  if (filled) checksums.push_back(hash.value());
  return checksums;
}

}  // namespace

void write_binary_cache(const Dataset& data, const std::string& path) {
  const Strings names = make_strings(data.feature_names());
  const SchemaArrays schema = arrays_of(data.schema());
  Contents contents = contents_of(data.parts(), names, schema);
  const std::vector<std::uint64_t> checksums = block_checksums(contents);

  cache::Header header;
  if (!data.schema().empty()) header.version = cache::kSchemaVersion;
  header.section_count = static_cast<std::uint32_t>(contents.list().size());
  header.block_count = checksums.size();
  header.header_bytes =
      cache::round_up(sizeof(header) + header.section_count * sizeof(cache::Section) +
                          checksums.size() * sizeof(std::uint64_t),
                      cache::kDataAlignment);
  header.file_bytes = header.header_bytes + contents.end();
  header.documents = data.documents();
  header.queries = data.queries();
  header.features = data.features();
  header.absent_bits = std::bit_cast<std::uint32_t>(data.parts().absent);

  std::string head(header.header_bytes, '\0');
  char* out = head.data() + sizeof(header);
  for (Content& content : contents.list()) {
    content.section.offset += header.header_bytes;
    std::memcpy(out, &content.section, sizeof(content.section));
    out += sizeof(content.section);
  }
  if (!checksums.empty())
    std::memcpy(out, checksums.data(), checksums.size() * sizeof(std::uint64_t));
  std::memcpy(head.data(), &header, sizeof(header));
  header.checksum = XXH3_64bits(head.data(), head.size());
  std::memcpy(head.data(), &header, sizeof(header));

  OutputFile file(path);
  file.write(head);
  contents.stream([&](std::string_view bytes) { file.write(bytes); });
  file.commit();
}

}  // namespace podium

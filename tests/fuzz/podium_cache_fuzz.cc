// The .podium reader on any bytes: opens the file and reads everything. If the first byte is odd,
// magic number, sizes and checksums are corrected first, so that the checks after them are reached.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include <xxhash.h>

#include "data/formats/binary_cache.h"
#include "data/formats/binary_cache_layout.h"
#include "podium/error.h"

namespace {

using namespace podium;

void seal(std::string& bytes) {
  cache::Header header;
  if (bytes.size() < sizeof(header)) return;
  std::memcpy(&header, bytes.data(), sizeof(header));
  header.magic = cache::kMagic;
  if (header.version != cache::kSchemaVersion) header.version = cache::kVersion;
  header.byte_order = cache::kByteOrder;
  header.file_bytes = bytes.size();
  header.header_bytes = header.header_bytes % (bytes.size() + 1) / 64 * 64;
  const std::size_t data = bytes.size() - header.header_bytes;
  header.block_count = (data + cache::kBlockBytes - 1) / cache::kBlockBytes;
  header.section_count %= cache::kKinds + 1;
  const std::size_t sums = sizeof(header) + header.section_count * sizeof(cache::Section);
  if (sums + 8 * header.block_count > header.header_bytes) return;
  for (std::size_t block = 0; block < header.block_count; ++block) {
    const std::size_t begin = header.header_bytes + block * cache::kBlockBytes;
    const std::uint64_t sum = XXH3_64bits(
        bytes.data() + begin, std::min<std::size_t>(cache::kBlockBytes, bytes.size() - begin));
    std::memcpy(bytes.data() + sums + 8 * block, &sum, 8);
  }
  header.checksum = 0;
  std::memcpy(bytes.data(), &header, sizeof(header));
  header.checksum = XXH3_64bits(bytes.data(), header.header_bytes);
  std::memcpy(bytes.data(), &header, sizeof(header));
}

// Reads all data.
std::size_t touch_everything(const Dataset& data) {
  std::size_t sum = data.fingerprint();
  for (std::size_t q = 0; q < data.queries(); ++q) {
    sum += data.qid(q).size() + data.document_weights(q).size() + data.positions(q).size();
    sum += data.query_weight(q) > 1;
    const Rows rows = data.rows(q);
    std::size_t last = 0;
    for (std::size_t row = 0; !rows.is_dense() && row < rows.documents(); ++row)
      for (const std::uint32_t column : rows.sparse(row).columns)
        last = std::max<std::size_t>(last, column);
    if (last > 0 && last >= data.features()) std::abort();
  }
  for (const auto& category : data.schema().categories()) {
    for (std::size_t i = 0; i < category.values.size(); ++i) sum += category.values[i].size();
    for (std::size_t d = 0; d < data.documents(); ++d) {
      std::vector<float> row(data.features());
      data.rows(d, d + 1).copy(0, row);
      const float value = row[category.feature];
      const bool implied = !data.is_dense() && value == 0;  // rows omit these
      if (value == value && !implied && !code_of(value, category.values.size())) std::abort();
    }
  }
  for (const std::string& name : data.schema().ignored()) sum += name.size();
  for (std::size_t d = 0; d < data.documents(); ++d)
    for (const char c : std::string(data.has_docids() ? data.docid(d) : "") +
                            std::string(data.has_hosts() ? data.host(d) : ""))
      sum += static_cast<unsigned char>(c);
  return sum;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  if (size == 0) return 0;
  std::string bytes(reinterpret_cast<const char*>(input) + 1, size - 1);
  if (input[0] & 1) seal(bytes);
  try {
    volatile std::size_t sum = touch_everything(podium::read_binary_cache(bytes, "data.podium"));
    static_cast<void>(sum);
  } catch (const podium::Error&) {  // expected for a damaged file
  }
  return 0;
}

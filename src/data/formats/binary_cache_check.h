// Checks the data of a .podium file block by block, on first use: the checksum, and the properties
// that the rest of the program relies on. Offsets ascend and stay in range, columns are features
// and ascend within a row, labels and weights are finite, values are not infinite, codes of
// categories have a value.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/file_stamp.h"
#include "data/formats/binary_cache_layout.h"
#include "podium/dataset.h"

namespace podium {

class CacheCheck final : public BlockCheck {
 public:
  // `bytes` is the whole file; the header has been checked. If another process writes to the file
  // before every block has been used, the next block's check detects it.
  CacheCheck(std::string_view bytes, std::string file);

  void touch(const void* begin, const void* end) const override;

  const cache::Header& header() const noexcept { return header_; }
  // The section of that kind, or nullptr.
  const cache::Section* find(cache::Kind kind) const noexcept;
  std::string_view bytes() const noexcept { return bytes_; }

 private:
  void check_block(std::size_t block) const;
  void check_meaning(const cache::Section& section, std::size_t begin, std::size_t end) const;
  void check_offsets(const cache::Section& section, std::size_t begin, std::size_t end) const;
  void check_columns(const cache::Section& section, std::size_t begin, std::size_t end) const;
  void check_codes(const cache::Section& section, std::size_t begin, std::size_t end) const;
  std::uint64_t last_offset(cache::Kind kind) const;
  template <class T>
  std::span<const T> elements(const cache::Section& section) const {
    return {reinterpret_cast<const T*>(bytes_.data() + section.offset), section.count};
  }

  std::string_view bytes_;
  std::string file_;
  FileStamp stamp_;
  cache::Header header_;
  std::vector<cache::Section> sections_;
  const char* checksums_ = nullptr;
  std::unique_ptr<std::atomic<bool>[]> checked_;  // one per block
};

}  // namespace podium

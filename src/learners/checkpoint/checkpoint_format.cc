#include "learners/checkpoint/checkpoint_format.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <xxhash.h>

#include "core/archive.h"
#include "core/stream_hash.h"
#include "podium/error.h"

namespace podium {
namespace {

// The first byte is not ASCII, and the line ends reveal transfers in text mode.
constexpr unsigned char kMagic[8] = {0x8F, 'P', 'o', 'd', 'C', '\r', '\n', 0x1A};
constexpr std::uint32_t kFormat = 2;
constexpr std::size_t kHeaderBytes = sizeof(kMagic) + sizeof(kFormat) + sizeof(std::uint64_t);
constexpr std::size_t kChecksumBytes = sizeof(std::uint64_t);

template <class T>
T value_at(std::span<const std::byte> bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof(value));
  return value;
}

[[noreturn]] void refuse(const char* what, const std::string& file) {
  throw Error(ErrorCode::data, what, {file});
}

}  // namespace

SealedCheckpoint seal(const std::string& version, const TrainingIdentity& identity,
                      std::span<const std::byte> state) {
  const auto size_of_state = static_cast<std::uint64_t>(state.size());
  ArchiveWriter names;
  names(version, identity, size_of_state);
  const std::uint64_t size = kHeaderBytes + names.take().size() + state.size() + kChecksumBytes;
  ArchiveWriter head;
  for (const unsigned char byte : kMagic) head(byte);
  head(kFormat, size, version, identity, size_of_state);
  SealedCheckpoint sealed{head.take()};

  StreamHash hash;
  hash.add(std::span<const std::byte>(sealed.head));
  hash.add(state);
  sealed.checksum = hash.value();
  return sealed;
}

bool begins_like_checkpoint(std::span<const std::byte> bytes) {
  const std::size_t size = std::min(bytes.size(), sizeof(kMagic));
  return size == 0 || std::memcmp(bytes.data(), kMagic, size) == 0;
}

Checkpoint checkpoint_from_bytes(std::span<const std::byte> bytes, const std::string& file) {
  constexpr const char* kTruncated = "the checkpoint is truncated: begin again without ‹resume›";
  constexpr const char* kDamaged = "the checkpoint is damaged: begin again without ‹resume›";
  if (bytes.empty()) refuse(kTruncated, file);
  if (!begins_like_checkpoint(bytes)) refuse("not a checkpoint of a training run", file);
  if (bytes.size() < kHeaderBytes) refuse(kTruncated, file);
  if (value_at<std::uint32_t>(bytes, sizeof(kMagic)) != kFormat)
    refuse("the checkpoint was written by another version of Podium: begin again without ‹resume›",
           file);
  const auto size = value_at<std::uint64_t>(bytes, sizeof(kMagic) + sizeof(kFormat));
  if (bytes.size() < size) refuse(kTruncated, file);
  if (bytes.size() > size || size < kHeaderBytes + kChecksumBytes) refuse(kDamaged, file);
  const auto covered = bytes.first(bytes.size() - kChecksumBytes);
  if (XXH3_64bits(covered.data(), covered.size()) != value_at<std::uint64_t>(bytes, covered.size()))
    refuse(kDamaged, file);

  ArchiveReader reader(covered.subspan(kHeaderBytes));
  Checkpoint checkpoint;
  reader(checkpoint);
  if (!reader.at_end()) refuse(kDamaged, file);
  return checkpoint;
}

}  // namespace podium

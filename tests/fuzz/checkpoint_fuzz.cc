// Checkpoint files: any bytes either are a checkpoint, and sealing it again gives the same bytes,
// or cause an Error. If the first byte is odd, magic number, size and checksum are corrected first,
// so that the code after these checks is reached. The state is also read as several types.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include <xxhash.h>

#include "core/archive.h"
#include "learners/checkpoint/checkpoint_format.h"
#include "learners/checkpoint/checkpointing.h"

namespace {

using namespace podium;

constexpr std::size_t kMagicBytes = 8, kSizeAt = 12, kHeaderBytes = 20, kChecksumBytes = 8;

std::vector<std::byte> file_of(const Checkpoint& checkpoint) {
  SealedCheckpoint sealed = seal(checkpoint.version, checkpoint.identity, checkpoint.state);
  std::vector<std::byte> file = std::move(sealed.head);
  file.insert(file.end(), checkpoint.state.begin(), checkpoint.state.end());
  const auto sum = std::as_bytes(std::span(&sealed.checksum, 1));
  file.insert(file.end(), sum.begin(), sum.end());
  return file;
}

void put_right(std::vector<std::byte>& bytes) {
  if (bytes.size() < kHeaderBytes + kChecksumBytes) return;
  const std::vector<std::byte> model = file_of({});
  std::memcpy(bytes.data(), model.data(), kSizeAt);  // magic number and format
  const std::uint64_t size = bytes.size();
  std::memcpy(bytes.data() + kSizeAt, &size, sizeof(size));
  const std::uint64_t sum = XXH3_64bits(bytes.data(), bytes.size() - kChecksumBytes);
  std::memcpy(bytes.data() + bytes.size() - kChecksumBytes, &sum, sizeof(sum));
}

template <class T>
void read_as(std::span<const std::byte> bytes) {
  try {
    ArchiveReader reader(bytes);
    T value;
    reader(value);
  } catch (const Error&) {
    return;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static_assert(kMagicBytes + sizeof(std::uint32_t) == kSizeAt);
  if (size == 0) return 0;
  const auto rest = std::as_bytes(std::span(data + 1, size - 1));
  std::vector<std::byte> bytes(rest.begin(), rest.end());
  if (data[0] & 1) put_right(bytes);
  try {
    const Checkpoint checkpoint = checkpoint_from_bytes(bytes, "fuzz.checkpoint");
    if (!begins_like_checkpoint(bytes) || file_of(checkpoint) != bytes) std::abort();
    if (!why_another(checkpoint.identity, checkpoint.identity).empty()) std::abort();
    why_another(checkpoint.identity, {});
    why_another({}, checkpoint.identity);
    read_as<std::vector<double>>(checkpoint.state);
    read_as<std::vector<Iteration>>(checkpoint.state);
    read_as<std::optional<std::vector<std::pair<std::string, double>>>>(checkpoint.state);
    read_as<std::vector<std::vector<std::vector<float>>>>(checkpoint.state);
  } catch (const Error&) {
    return 0;
  }
  return 0;
}

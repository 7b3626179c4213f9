// A checkpoint as bytes: magic number, format, size, the program's version, the identity of the
// training run, and the trainer's state, followed by a checksum (XXH3, 64 bits) over everything. It
// detects damage, not forgery: a checkpoint is trusted like the program that wrote it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "learners/checkpoint/training_identity.h"

namespace podium {

struct Checkpoint {
  std::string version;  // of the program that wrote it
  TrainingIdentity identity;
  std::vector<std::byte> state;

  template <class Archive, class Self>
  static void fields(Archive& archive, Self& self) {
    archive(self.version, self.identity, self.state);
  }
};

// A checkpoint consists of these bytes, the state (which may be large, and is not copied), and the
// checksum.
struct SealedCheckpoint {
  std::vector<std::byte> head;
  std::uint64_t checksum = 0;
};
SealedCheckpoint seal(const std::string& version, const TrainingIdentity& identity,
                      std::span<const std::byte> state);

// Throws an Error that tells whether the file is something else, has another format, or is
// truncated or damaged.
Checkpoint checkpoint_from_bytes(std::span<const std::byte> bytes, const std::string& file);

// Whether the bytes are a checkpoint or the beginning of one: such a file may be replaced.
bool begins_like_checkpoint(std::span<const std::byte> bytes);

}  // namespace podium

// A checkpoint as bytes: magic number, format, size, the program's version, which training it is
// of, and the trainer's state; after everything a checksum (XXH3, 64 bits) over everything. Damage
// is found, forgery is not: a checkpoint is trusted as the program that wrote it.
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

// A checkpoint is these bytes, the state (which may be large, and is not copied), and the checksum.
struct SealedCheckpoint {
  std::vector<std::byte> head;
  std::uint64_t checksum = 0;
};
SealedCheckpoint seal(const std::string& version, const TrainingIdentity& identity,
                      std::span<const std::byte> state);

// Throws an Error that says whether the file is something else, of another format, truncated or
// damaged.
Checkpoint checkpoint_from_bytes(std::span<const std::byte> bytes, const std::string& file);

// Whether it begins as a checkpoint does, as far as it goes: such a file may be replaced.
bool begins_like_checkpoint(std::span<const std::byte> bytes);

}  // namespace podium

// Finds documents of one topic by the hashes of their ids: open addressing with linear probing, at
// most half full, in an array that is reused from topic to topic.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace podium {

class DocumentTable {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  // Empties the table and reserves space for this many documents.
  void reset(std::size_t documents) {
    slots_.assign(std::bit_ceil(2 * documents + 1), {0, kNone});
    mask_ = slots_.size() - 1;
  }

  // The document with this hash for which same(document) holds, or kNone.
  template <class Same>
  std::uint32_t find(std::uint32_t hash, const Same& same) const {
    return slots_[slot_of(hash, same)].document;
  }
  // Like find, but inserts `document` if there is none.
  template <class Same>
  std::uint32_t find_or_insert(std::uint32_t hash, std::uint32_t document, const Same& same) {
    Slot& slot = slots_[slot_of(hash, same)];
    if (slot.document != kNone) return slot.document;
    slot = {hash, document};
    return kNone;
  }

 private:
  struct Slot {
    std::uint32_t hash;
    std::uint32_t document;
  };

  template <class Same>
  std::size_t slot_of(std::uint32_t hash, const Same& same) const {
    std::size_t s = hash & mask_;
    while (slots_[s].document != kNone && !(slots_[s].hash == hash && same(slots_[s].document)))
      s = (s + 1) & mask_;
    return s;
  }

  std::vector<Slot> slots_;
  std::size_t mask_ = 0;
};

}  // namespace podium

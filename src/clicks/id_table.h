// Numbers for texts in order of first appearance, each within a scope (a document id within its
// query). Open addressing; `Text` is std::string, or std::string_view if others own the bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <xxhash.h>

namespace podium {

// A table of indices, probed linearly; what they stand for is the user's.
class IndexTable {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  // The index with this hash for which same(index) holds, or kNone.
  template <class Same>
  std::uint32_t find(std::uint64_t hash, const Same& same) const {
    if (slots_.empty()) return kNone;
    for (std::size_t at = hash & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
      const Slot& slot = slots_[at];
      if (slot.index == kNone) return kNone;
      if (slot.hash == static_cast<std::uint32_t>(hash >> 32) && same(slot.index)) return slot.index;
    }
  }
  // An index that is not in the table. hash_of(index) is called when the table grows.
  template <class HashOf>
  void add(std::uint64_t hash, std::uint32_t index, const HashOf& hash_of) {
    if (2 * (count_ + 1) > slots_.size()) grow(hash_of);
    put(hash, index);
    ++count_;
  }

 private:
  struct Slot {
    std::uint32_t hash = 0, index = kNone;
  };
  template <class HashOf>
  void grow(const HashOf& hash_of) {
    std::vector<Slot> old(slots_.empty() ? 1024 : 2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.index != kNone) put(hash_of(slot.index), slot.index);
  }
  void put(std::uint64_t hash, std::uint32_t index) {
    std::size_t at = hash & (slots_.size() - 1);
    while (slots_[at].index != kNone) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = {static_cast<std::uint32_t>(hash >> 32), index};
  }

  std::vector<Slot> slots_;  // a power of two
  std::size_t count_ = 0;
};

template <class Text>
class IdTable {
 public:
  struct Id {
    Text text;
    std::uint32_t scope = 0;
  };

  std::uint32_t find(std::uint32_t scope, std::string_view text) const {
    return table_.find(hash(scope, text), [&](std::uint32_t i) {
      return ids_[i].scope == scope && ids_[i].text == text;
    });
  }
  // The number of the text; size() grows if it is new.
  std::uint32_t number(std::uint32_t scope, std::string_view text) {
    const std::uint32_t known = find(scope, text);
    if (known != IndexTable::kNone) return known;
    const auto index = static_cast<std::uint32_t>(ids_.size());
    ids_.push_back({Text(text), scope});
    table_.add(hash(scope, text), index, [&](std::uint32_t i) { return hash(ids_[i].scope, ids_[i].text); });
    return index;
  }
  std::size_t size() const noexcept { return ids_.size(); }
  const Id& operator[](std::size_t i) const { return ids_[i]; }

 private:
  static std::uint64_t hash(std::uint32_t scope, std::string_view text) {
    return XXH3_64bits_withSeed(text.data(), text.size(), scope);
  }

  std::vector<Id> ids_;
  IndexTable table_;
};

}  // namespace podium

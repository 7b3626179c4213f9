// A hash (XXH3, 64 bits) of bytes that arrive in parts: the same as that of all bytes at once.
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string_view>

#include <xxhash.h>

namespace podium {

class StreamHash {
 public:
  StreamHash() : state_(XXH3_createState(), XXH3_freeState) {
    if (!state_) throw std::bad_alloc();
    reset();
  }

  void reset() { XXH3_64bits_reset(state_.get()); }
  template <class T>
  void add(std::span<const T> values) {
    if (!values.empty()) XXH3_64bits_update(state_.get(), values.data(), values.size_bytes());
  }
  void add(std::string_view bytes) { add(std::span(bytes)); }
  std::uint64_t value() const { return XXH3_64bits_digest(state_.get()); }

 private:
  std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state_;
};

}  // namespace podium

// Sends what the host computes piece by piece: while one piece is filled, the one before it is on
// its way. Two pinned pieces, the second only if it is needed.
#pragma once

#include <optional>
#include <span>

#include "device/pinned_array.h"

namespace podium {

template <class T>
class UploadStage {
 public:
  // `size`: values of a piece.
  UploadStage(DeviceQueue& queue, std::size_t size) : queue_(queue), size_(size) {}

  // The piece to fill next.
  std::span<T> fill() {
    auto& half = halves_[next_];
    if (!half) half.emplace(queue_, size_);
    next_ = 1 - next_;
    has_waited_ = false;
    return half->values();
  }
  // Of the piece that was filled last.
  void send(T* to, std::span<const T> values) {
    // The other piece has arrived before it is filled again.
    if (!has_waited_) queue_.wait();
    has_waited_ = true;
    queue_.upload(to, values.data(), values.size_bytes());
  }

 private:
  DeviceQueue& queue_;
  std::size_t size_;
  std::optional<PinnedArray<T>> halves_[2];
  int next_ = 0;
  bool has_waited_ = false;
};

}  // namespace podium

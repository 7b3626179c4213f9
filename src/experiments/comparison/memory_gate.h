// Lets work begin only if the expected memory of all running work stays below a limit. A single
// piece of work may always begin.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace podium {

class MemoryGate {
 public:
  explicit MemoryGate(std::size_t limit) : limit_(limit) {}

  // Holds its bytes from construction, which may wait, to destruction.
  class Pass {
   public:
    Pass(MemoryGate& gate, std::size_t bytes) : gate_(gate), bytes_(bytes) { gate_.enter(bytes); }
    ~Pass() { gate_.leave(bytes_); }
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;

   private:
    MemoryGate& gate_;
    std::size_t bytes_;
  };

 private:
  void enter(std::size_t bytes) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return inside_ == 0 || used_ + bytes <= limit_; });
    used_ += bytes;
    ++inside_;
  }
  void leave(std::size_t bytes) {
    {
      const std::scoped_lock lock(mutex_);
      used_ -= bytes;
      --inside_;
    }
    changed_.notify_all();
  }

  std::size_t limit_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t used_ = 0, inside_ = 0;
};

}  // namespace podium

// For commands that serve until Ctrl-C.
#pragma once

#include <condition_variable>
#include <mutex>
#include <stop_token>

namespace podium::cli {

inline void wait_for_stop(std::stop_token stop) {
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any stopped;
  stopped.wait(lock, stop, [] { return false; });
}

}  // namespace podium::cli

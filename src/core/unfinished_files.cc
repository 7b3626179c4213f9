#include "core/unfinished_files.h"

#include <array>
#include <atomic>
#include <climits>
#include <csignal>
#include <cstring>

#include <unistd.h>

namespace podium {
namespace {

// Readable from a signal handler: `ready` is set last and cleared first.
struct UnfinishedFile {
  std::atomic<bool> taken{false};
  std::atomic<bool> ready{false};
  std::array<char, PATH_MAX> path{};
};
constinit std::array<UnfinishedFile, 16> unfinished{};

void on_signal(int number) {
  remove_unfinished();
  signal(number, SIG_DFL);
  raise(number);  // delivered when this handler returns
}

}  // namespace

int remember_unfinished(const std::string& path) {
  if (path.size() >= PATH_MAX) return -1;
  for (std::size_t i = 0; i < unfinished.size(); ++i) {
    UnfinishedFile& slot = unfinished[i];
    if (slot.taken.exchange(true)) continue;
    std::memcpy(slot.path.data(), path.c_str(), path.size() + 1);
    slot.ready.store(true, std::memory_order_release);
    return static_cast<int>(i);
  }
  return -1;
}

void forget_unfinished(int ticket) noexcept {
  if (ticket < 0) return;
  UnfinishedFile& slot = unfinished[static_cast<std::size_t>(ticket)];
  slot.ready.store(false, std::memory_order_release);
  slot.taken.store(false);
}

void remove_unfinished() noexcept {
  for (const UnfinishedFile& slot : unfinished)
    if (slot.ready.load(std::memory_order_acquire)) unlink(slot.path.data());
}

void remove_unfinished_on_signals() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action {};
    sigaction(number, nullptr, &action);
    if (action.sa_handler == SIG_IGN) continue;  // nohup, or a shell's background job
    action = {};
    action.sa_handler = on_signal;
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, nullptr);
  }
}

}  // namespace podium

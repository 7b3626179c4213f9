// Threads. A pool runs numbered tasks; which thread runs which task is not fixed, so tasks must
// write to separate locations. parallel_for and parallel_reduce divide the work into chunks whose
// size never depends on the number of threads, and combine in chunk order: the bits of a result do
// not depend on how many threads computed it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace podium {

class WorkProfile;

// Processors that this process may keep busy: those of its affinity mask, no more than the control
// group's quota allows.
int available_processors();

// Workers look for the next job for some microseconds before they sleep, so that jobs in quick
// succession cost little; never longer, so that other programs get the processors. A job ends when
// its tasks have ended: a worker that wakes late is not waited for. One thread at a time calls
// run() from outside.
class ThreadPool {
 public:
  explicit ThreadPool(int threads = 0);  // 0: as many as available_processors()
  // Runs everything in the calling thread, and records it. threads() is that of the profile.
  explicit ThreadPool(WorkProfile& profile);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const noexcept;

  // Runs task(0) … task(count − 1) and waits. If tasks throw, the exception of the lowest-numbered
  // one is rethrown. Called from inside a task it runs in the calling thread.
  void run(std::size_t count, const std::function<void(std::size_t)>& task);

  WorkProfile* profile() const noexcept { return profile_; }  // null: none is kept

 private:
  void run_profiled(std::size_t count, const std::function<void(std::size_t)>& task);

  struct State;
  std::unique_ptr<State> state_;
  WorkProfile* profile_ = nullptr;
};

// Names what the pool does while this lives, for its profile; costs nothing without one.
class WorkPhase {
 public:
  WorkPhase(ThreadPool& pool, std::string_view name) : profile_(pool.profile()) {
    if (profile_) enter(name);
  }
  ~WorkPhase() {
    if (profile_) leave();
  }
  WorkPhase(const WorkPhase&) = delete;
  WorkPhase& operator=(const WorkPhase&) = delete;

 private:
  void enter(std::string_view name);
  void leave();

  WorkProfile* profile_;
  std::string outer_;
};

// body(begin, end) over [0, n) in chunks of `chunk`.
template <class Body>
void parallel_for(ThreadPool& pool, std::size_t n, std::size_t chunk, Body&& body) {
  pool.run((n + chunk - 1) / chunk, [&](std::size_t c) {
    const std::size_t begin = c * chunk;
    body(begin, std::min(n, begin + chunk));
  });
}

// body(i) for every i of [0, n), where one takes some nanoseconds.
template <class Body>
void parallel_each(ThreadPool& pool, std::size_t n, Body&& body) {
  constexpr std::size_t kItems = 16384;
  parallel_for(pool, n, kItems, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) body(i);
  });
}

// combine(total, part) in chunk order, where part = map(begin, end).
template <class T, class Map, class Combine>
T parallel_reduce(ThreadPool& pool, std::size_t n, std::size_t chunk, T total, Map&& map,
                  Combine&& combine) {
  std::vector<T> parts((n + chunk - 1) / chunk, total);
  parallel_for(pool, n, chunk,
               [&](std::size_t begin, std::size_t end) { parts[begin / chunk] = map(begin, end); });
  for (T& part : parts) combine(total, part);
  return total;
}

}  // namespace podium

#include "podium/thread_pool.h"

#include <atomic>
#include <condition_variable>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>
#include <utility>

namespace podium {
namespace {

// Set while this thread runs a task of some pool: a nested run() then stays in the thread.
thread_local bool inside_task = false;

}  // namespace

struct ThreadPool::State {
  std::mutex mutex;
  std::condition_variable wake, done;
  std::uint64_t generation = 0;
  bool closing = false;
  int busy = 0;

  // The current job.
  const std::function<void(std::size_t)>* task = nullptr;
  std::size_t count = 0;
  std::atomic<std::size_t> next{0};
  std::mutex failure_mutex;
  std::size_t failed = std::numeric_limits<std::size_t>::max();
  std::exception_ptr failure;

  std::vector<std::thread> workers;

  // Also of those that had begun when the system refused another one.
  ~State() {
    {
      const std::scoped_lock lock(mutex);
      closing = true;
    }
    wake.notify_all();
    for (std::thread& worker : workers) worker.join();
  }

  void work() {
    inside_task = true;
    for (std::size_t i; (i = next.fetch_add(1)) < count;) {
      try {
        (*task)(i);
      } catch (...) {  // kept and rethrown by run(): nothing is swallowed
        const std::scoped_lock lock(failure_mutex);
        if (i < failed) {
          failed = i;
          failure = std::current_exception();
        }
      }
    }
    inside_task = false;
  }

  void worker() {
    std::uint64_t seen = 0;
    std::unique_lock lock(mutex);
    for (;;) {
      wake.wait(lock, [&] { return closing || generation != seen; });
      if (closing) return;
      seen = generation;
      lock.unlock();
      work();
      lock.lock();
      if (--busy == 0) done.notify_one();
    }
  }
};

ThreadPool::ThreadPool(int threads) : state_(std::make_unique<State>()) {
  if (threads <= 0) threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  State& state = *state_;
  state.workers.reserve(static_cast<std::size_t>(threads) - 1);
  for (int i = 1; i < threads; ++i) state.workers.emplace_back([&state] { state.worker(); });
}

ThreadPool::~ThreadPool() = default;

int ThreadPool::threads() const noexcept {
  return static_cast<int>(state_->workers.size()) + 1;
}

void ThreadPool::run(std::size_t count, const std::function<void(std::size_t)>& task) {
  if (inside_task || state_->workers.empty() || count <= 1) {
    for (std::size_t i = 0; i < count; ++i) task(i);
    return;
  }
  State& s = *state_;
  {
    const std::scoped_lock lock(s.mutex);
    s.task = &task;
    s.count = count;
    s.next = 0;
    s.failed = std::numeric_limits<std::size_t>::max();
    s.failure = nullptr;
    s.busy = static_cast<int>(s.workers.size());
    ++s.generation;
  }
  s.wake.notify_all();
  s.work();
  std::unique_lock lock(s.mutex);
  s.done.wait(lock, [&] { return s.busy == 0; });
  if (s.failure) std::rethrow_exception(std::exchange(s.failure, nullptr));
}

}  // namespace podium

#include "podium/thread_pool.h"

#include <atomic>
#include <chrono>
#include <exception>
#include <limits>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "podium/work_profile.h"

namespace podium {
namespace {

// Set while this thread runs a task of some pool: a nested run() then stays in the thread.
thread_local bool inside_task = false;

// How long a thread looks for what it waits for before it sleeps. Waking a sleeping thread takes
// about as long.
constexpr std::chrono::microseconds kPatience(40);
constexpr int kPausesPerLook = 16;
constexpr int kWokenByOne = 2;

void pause_processor() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

template <class Condition>
bool comes_true_soon(std::chrono::microseconds patience, Condition&& condition) {
  if (condition()) return true;
  if (patience.count() == 0) return false;
  const auto end = std::chrono::steady_clock::now() + patience;
  do {
    for (int i = 0; i < kPausesPerLook; ++i) {
      pause_processor();
      if (condition()) return true;
    }
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

}  // namespace

// A job is published by its ticket: the job's number in the upper half, and in the lower one how
// many of its tasks nobody has begun. Who takes one from the lower half has a task, and with it the
// right to read the job, which stands until the last task is reported as finished.
struct ThreadPool::State {
  alignas(64) std::atomic<std::uint64_t> ticket{0};
  alignas(64) std::atomic<std::uint32_t> unfinished{0};
  alignas(64) std::atomic<std::uint32_t> bell{0};  // what sleeping workers listen to
  std::atomic<int> asleep{0};
  std::atomic<bool> closing{false};

  const std::function<void(std::size_t)>* task = nullptr;
  std::size_t offset = 0;  // the number of the job's first task
  std::uint32_t count = 0;
  std::uint64_t job = 0;

  std::mutex failure_mutex;
  std::size_t failed = std::numeric_limits<std::size_t>::max();
  std::exception_ptr failure;

  std::chrono::microseconds patience = kPatience;
  std::vector<std::thread> workers;

  // Also of those that had begun when the system refused another one.
  ~State() {
    closing = true;
    ++bell;
    bell.notify_all();
    for (std::thread& worker : workers) worker.join();
  }

  static std::uint32_t left(std::uint64_t ticket) { return static_cast<std::uint32_t>(ticket); }
  bool has_work() const { return left(ticket.load(std::memory_order_acquire)) != 0; }

  std::optional<std::size_t> take_task() {
    std::uint64_t seen = ticket.load(std::memory_order_acquire);
    while (left(seen) != 0)
      if (ticket.compare_exchange_weak(seen, seen - 1, std::memory_order_acq_rel,
                                       std::memory_order_acquire))
        return offset + (count - left(seen));
    return {};
  }

  void run_task(std::size_t i) {
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

  // Takes tasks until none is left, and reports them all at once.
  void work() {
    inside_task = true;
    std::uint32_t finished = 0;
    while (const auto i = take_task()) {
      run_task(*i);
      ++finished;
    }
    inside_task = false;
    if (finished != 0 && unfinished.fetch_sub(finished) == finished) unfinished.notify_one();
  }

  // Each one woken wakes others in turn, as long as there is work.
  void wake_some() {
    if (asleep.load() == 0 || !has_work()) return;
    ++bell;
    for (int i = 0; i < kWokenByOne; ++i) bell.notify_one();
  }

  void sleep() {
    ++asleep;
    const std::uint32_t heard = bell;
    if (!has_work() && !closing) bell.wait(heard);
    --asleep;
    wake_some();
  }

  void worker() {
    while (!closing) {
      if (comes_true_soon(patience, [&] { return has_work(); }))
        work();
      else
        sleep();
    }
  }

  void publish(const std::function<void(std::size_t)>& next, std::size_t first, std::uint32_t n) {
    task = &next;
    offset = first;
    count = n;
    unfinished.store(n);
    ticket.store(++job << 32 | n);
    wake_some();
  }

  void wait_for_tasks() {
    if (comes_true_soon(patience, [&] { return unfinished.load() == 0; })) return;
    while (const std::uint32_t seen = unfinished.load()) unfinished.wait(seen);
  }
};

ThreadPool::ThreadPool(int threads) : state_(std::make_unique<State>()) {
  const int available = available_processors();
  if (threads <= 0) threads = available;
  State& state = *state_;
  // With more threads than processors a thread that looks takes the place of one that works.
  if (threads > available) state.patience = std::chrono::microseconds(0);
  state.workers.reserve(static_cast<std::size_t>(threads) - 1);
  for (int i = 1; i < threads; ++i) state.workers.emplace_back([&state] { state.worker(); });
}

ThreadPool::ThreadPool(WorkProfile& profile)
    : state_(std::make_unique<State>()), profile_(&profile) {}

ThreadPool::~ThreadPool() = default;

int ThreadPool::threads() const noexcept {
  return profile_ ? WorkProfile::kProfiledThreads : static_cast<int>(state_->workers.size()) + 1;
}

void ThreadPool::run(std::size_t count, const std::function<void(std::size_t)>& task) {
  if (profile_ && !inside_task && count > 1) return run_profiled(count, task);
  if (inside_task || state_->workers.empty() || count <= 1) {
    for (std::size_t i = 0; i < count; ++i) task(i);
    return;
  }
  State& s = *state_;
  constexpr std::size_t kLargestJob = std::numeric_limits<std::uint32_t>::max();
  s.failed = std::numeric_limits<std::size_t>::max();
  for (std::size_t first = 0; first < count; first += kLargestJob) {
    s.publish(task, first, static_cast<std::uint32_t>(std::min(kLargestJob, count - first)));
    s.work();
    s.wait_for_tasks();
  }
  if (s.failure) std::rethrow_exception(std::exchange(s.failure, nullptr));
}

// As with workers, all tasks run whatever one of them throws.
void ThreadPool::run_profiled(std::size_t count, const std::function<void(std::size_t)>& task) {
  State& s = *state_;
  s.failed = std::numeric_limits<std::size_t>::max();
  s.task = &task;
  inside_task = true;
  profile_->begin_region();
  for (std::size_t i = 0; i < count; ++i) {
    s.run_task(i);
    profile_->task_done();
  }
  profile_->end_region();
  inside_task = false;
  if (s.failure) std::rethrow_exception(std::exchange(s.failure, nullptr));
}

void WorkPhase::enter(std::string_view name) {
  outer_ = profile_->current();
  profile_->enter(name);
}

void WorkPhase::leave() {
  profile_->enter(outer_);
}

}  // namespace podium

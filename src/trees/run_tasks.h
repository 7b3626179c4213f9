// Tasks in threads when they are worth it: waking a pool costs some ten microseconds, so little
// work stays in the calling thread.
#pragma once

#include <cstddef>

#include "podium/thread_pool.h"

namespace podium {

constexpr std::size_t kWorthThreads = 50000;  // operations of about a nanosecond

// task(0) … task(count − 1), about `operations` in total.
template <class Task>
void run_tasks(ThreadPool& pool, std::size_t count, std::size_t operations, Task&& task) {
  if (operations >= kWorthThreads) {
    pool.run(count, task);
    return;
  }
  for (std::size_t i = 0; i < count; ++i) task(i);
}

}  // namespace podium

// The quota of a control group is a number of processors, quota / period, that may be a fraction:
// more threads than that, rounded up, would only wait for each other.
#include <algorithm>
#include <cmath>
#include <thread>

#include <sched.h>

#include "core/processor_quota.h"
#include "podium/thread_pool.h"

namespace podium {
namespace {

constexpr int kMostProcessors = 1 << 16;

int processors_of_affinity() {
  for (int most = 1024; most <= kMostProcessors; most *= 2) {
    cpu_set_t* const set = CPU_ALLOC(static_cast<std::size_t>(most));
    if (!set) break;
    const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(most));
    const bool known = sched_getaffinity(0, bytes, set) == 0;
    const int count = known ? CPU_COUNT_S(bytes, set) : 0;
    CPU_FREE(set);
    if (count > 0) return count;
  }
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

}  // namespace

int available_processors() {
  const int processors = processors_of_affinity();
  const double quota = processor_quota("/proc/self/cgroup", "/sys/fs/cgroup");
  return quota < processors ? std::max(1, static_cast<int>(std::ceil(quota))) : processors;
}

}  // namespace podium

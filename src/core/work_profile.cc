#include "podium/work_profile.h"

#include <algorithm>
#include <ctime>
#include <functional>

namespace podium {
namespace {

// Processor time of this thread: what other programs take from it does not count.
double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// When the last of the tasks ends on `threads` threads, each task begun by the first that is free.
double makespan(const std::vector<double>& tasks, std::size_t threads,
                std::vector<double>& free_at) {
  if (tasks.size() <= threads) return *std::max_element(tasks.begin(), tasks.end());
  free_at.assign(threads, 0.0);
  for (const double seconds : tasks) {
    std::pop_heap(free_at.begin(), free_at.end(), std::greater<>());
    free_at.back() += seconds;
    std::push_heap(free_at.begin(), free_at.end(), std::greater<>());
  }
  return *std::max_element(free_at.begin(), free_at.end());
}

}  // namespace

WorkProfile::Phase& WorkProfile::Phase::operator+=(const Phase& other) {
  work += other.work;
  span += other.span;
  between += other.between;
  regions += other.regions;
  tasks += other.tasks;
  for (std::size_t i = 0; i < predicted.size(); ++i) predicted[i] += other.predicted[i];
  return *this;
}

WorkProfile::WorkProfile() : phases_(1), last_(thread_seconds()) {
  phases_[0].name = "starting";
}

double WorkProfile::lap() {
  const double now = thread_seconds();
  const double passed = std::max(0.0, now - last_);
  last_ = now;
  return passed;
}

// What ran since the last region or change of phase was serial.
void WorkProfile::begin_region() {
  const double serial = lap();
  Phase& phase = phases_[current_];
  phase.work += serial;
  phase.span += serial;
  phase.between += serial;
  for (double& seconds : phase.predicted) seconds += serial;
  tasks_.clear();
}

void WorkProfile::task_done() {
  tasks_.push_back(lap());
}

void WorkProfile::end_region() {
  Phase& phase = phases_[current_];
  for (const double seconds : tasks_) phase.work += seconds;
  phase.span += *std::max_element(tasks_.begin(), tasks_.end());
  phase.regions += 1;
  phase.tasks += tasks_.size();
  for (std::size_t i = 0; i < kThreads.size(); ++i)
    phase.predicted[i] +=
        kRegionSeconds + makespan(tasks_, static_cast<std::size_t>(kThreads[i]), free_at_);
  last_ = thread_seconds();  // the profile's own work is left out
}

void WorkProfile::enter(std::string_view name) {
  begin_region();  // closes the serial stretch
  const auto found = std::find_if(phases_.begin(), phases_.end(),
                                  [&](const Phase& phase) { return phase.name == name; });
  current_ = static_cast<std::size_t>(found - phases_.begin());
  if (found == phases_.end()) phases_.emplace_back().name = name;
  last_ = thread_seconds();
}

void WorkProfile::add_device_work(std::string_view name, double seconds, std::uint64_t bytes) {
  auto found = std::find_if(device_work_.begin(), device_work_.end(),
                            [&](const DeviceWork& work) { return work.name == name; });
  if (found == device_work_.end())
    found = device_work_.insert(found, {std::string(name), 0.0, 0, 0});
  found->seconds += seconds;
  found->times += 1;
  found->bytes += bytes;
}

std::vector<WorkProfile::Phase> WorkProfile::phases() {
  begin_region();
  std::vector<Phase> seen;
  for (const Phase& phase : phases_)
    if (phase.work > 0) seen.push_back(phase);
  return seen;
}

WorkProfile::Phase WorkProfile::total(const std::vector<Phase>& phases) {
  Phase all;
  all.name = "total";
  for (const Phase& phase : phases) all += phase;
  return all;
}

}  // namespace podium

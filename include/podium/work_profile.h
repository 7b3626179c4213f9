// Where a computation would spend its time on more threads than the machine has. A pool with a
// profile runs everything in the calling thread, divided into tasks as for kProfiledThreads
// threads, and records how long each task takes:
//
//   work   processor time of everything;
//   span   what no number of threads can shorten: the longest task of each parallel region, and
//          all that runs between regions.
//
// For each number of threads the tasks of a region are dealt out in order, each to the thread that
// is free first, as a pool does; the time predicted is the sum over regions, with kRegionSeconds
// for waking and joining, and what lies between. Memory bandwidth, which threads share, is not
// part of it: predictions are bounds from below. What a GPU does meanwhile is added up apart.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace podium {

class WorkProfile {
 public:
  static constexpr int kProfiledThreads = 64;
  static constexpr std::array<int, 6> kThreads = {2, 4, 8, 16, 32, 64};
  static constexpr double kRegionSeconds = 4e-6;

  struct Phase {
    std::string name;
    double work = 0, span = 0;  // seconds
    double between = 0;         // of both: the serial part
    std::uint64_t regions = 0, tasks = 0;
    std::array<double, kThreads.size()> predicted = {};  // seconds on kThreads threads

    Phase& operator+=(const Phase& other);
  };

  WorkProfile();

  // What follows belongs to the phase of this name; phases come back in the order in which they
  // were first seen.
  void enter(std::string_view phase);
  std::string_view current() const { return phases_[current_].name; }

  // One parallel region, in the order in which its tasks ran.
  void begin_region();
  void task_done();
  void end_region();

  // What a GPU did: a kernel or a copy of that many bytes. Operations of one name are added
  // up, in the order in which they were first seen.
  struct DeviceWork {
    std::string name;
    double seconds = 0;
    std::uint64_t times = 0, bytes = 0;
  };
  void add_device_work(std::string_view name, double seconds, std::uint64_t bytes);
  const std::vector<DeviceWork>& device_work() const { return device_work_; }

  // Everything up to now; phases without any work are left out.
  std::vector<Phase> phases();
  static Phase total(const std::vector<Phase>& phases);

 private:
  double lap();

  std::vector<Phase> phases_;
  std::size_t current_ = 0;
  double last_;  // when the present stretch began, on the thread's processor clock
  std::vector<double> tasks_;
  std::vector<double> free_at_;
  std::vector<DeviceWork> device_work_;
};

}  // namespace podium

// Time and memory of cells. The kernel has one peak of resident memory per process; it is read and
// reset whenever a cell begins or ends, so that each cell gets the highest peak during its run.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>

namespace podium {

class CellResources {
 public:
  // The resources.json of earlier runs; anything else is ignored.
  CellResources(const std::string& earlier, int threads);

  void begin(const std::string& cell);
  void end(const std::string& cell);
  // The text of resources.json.
  std::string text() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Running {
    Clock::time_point began;
    std::size_t peak = 0;
  };
  void note_peak();

  mutable std::mutex mutex_;
  std::map<std::string, Running> running_;
  nlohmann::ordered_json cells_ = nlohmann::ordered_json::object();
  std::string started_;
  int threads_;
  Clock::time_point began_ = Clock::now();
  double seconds_before_ = 0;
  std::size_t peak_ = 0;
};

// Bytes of memory that the machine has.
std::size_t machine_memory();

}  // namespace podium

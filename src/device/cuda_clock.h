// How long a GPU works on each of the operations of a stream, by the driver's events: for
// WorkProfile. An event before and one after each operation; what lies between them includes the
// time that the GPU takes to begin, two microseconds or so.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "device/cuda_driver.h"
#include "podium/work_profile.h"

namespace podium {

class CudaClock {
 public:
  // Both must outlive the clock.
  CudaClock(const CudaDriver& driver, WorkProfile& profile) : driver_(driver), profile_(profile) {}
  ~CudaClock();
  CudaClock(const CudaClock&) = delete;
  CudaClock& operator=(const CudaClock&) = delete;

  // Around an operation. Waits for the stream when many have come together.
  void begin(const char* name, std::size_t bytes, CudaDriver::Handle stream);
  void end(CudaDriver::Handle stream);
  // Tells the profile what was timed; the stream has ended it all.
  void collect();

 private:
  struct Timed {
    const char* name;
    std::size_t bytes;
    CudaDriver::Handle before, after;
  };

  const CudaDriver& driver_;
  WorkProfile& profile_;
  std::vector<Timed> timed_;  // the first used_ are under way; the others have events to use again
  std::size_t used_ = 0;
};

}  // namespace podium

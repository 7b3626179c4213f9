#include "device/cuda_clock.h"

namespace podium {
namespace {

constexpr std::size_t kMostTimed = 1024;
constexpr unsigned kDefaultEvent = 0;
constexpr const char* kWhat = "timing its work";

}  // namespace

CudaClock::~CudaClock() {
  for (const Timed& timed : timed_) {
    driver_.destroy_event(timed.before);
    driver_.destroy_event(timed.after);
  }
}

void CudaClock::begin(const char* name, std::size_t bytes, CudaDriver::Handle stream) {
  if (used_ == kMostTimed) {
    driver_.require(driver_.wait_stream(stream), kWhat);
    collect();
  }
  if (used_ == timed_.size()) {
    Timed timed{};
    driver_.require(driver_.create_event(&timed.before, kDefaultEvent), kWhat);
    const auto result = driver_.create_event(&timed.after, kDefaultEvent);
    if (result != CudaDriver::kSuccess) driver_.destroy_event(timed.before);
    driver_.require(result, kWhat);
    timed_.push_back(timed);
  }
  Timed& timed = timed_[used_];
  timed.name = name;
  timed.bytes = bytes;
  driver_.require(driver_.record_event(timed.before, stream), kWhat);
}

void CudaClock::end(CudaDriver::Handle stream) {
  driver_.require(driver_.record_event(timed_[used_].after, stream), kWhat);
  ++used_;
}

void CudaClock::collect() {
  for (std::size_t i = 0; i < used_; ++i) {
    float milliseconds = 0;
    driver_.require(driver_.event_time(&milliseconds, timed_[i].before, timed_[i].after), kWhat);
    profile_.add_device_work(timed_[i].name, 1e-3 * static_cast<double>(milliseconds),
                             timed_[i].bytes);
  }
  used_ = 0;
}

}  // namespace podium

// Stop requests and time limits; all ranks agree on them.
#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <type_traits>

#include "podium/context.h"
#include "podium/learner.h"

namespace podium {

class Deadline {
 public:
  // 0: no limit. `spent`: time already used by an interrupted run.
  explicit Deadline(double max_seconds, double spent = 0)
      : max_seconds_(max_seconds), spent_(spent) {}

  double seconds() const {
    return spent_ +
           std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  }
  // Collective: all ranks must call it. With one rank, threads may call it at any time.
  std::optional<Termination> reached(Context& context) const {
    std::array<std::int64_t, 2> wanted = {context.stop.stop_requested(),
                                          max_seconds_ > 0 && seconds() > max_seconds_};
    if (context.comm.size() > 1) context.comm.all_reduce_sum(wanted);
    if (wanted[0]) return Termination::stopped;
    if (wanted[1]) return Termination::time_limit;
    return {};
  }

  // The time spent is part of a trainer's state.
  template <class Archive, class Self>
  static void fields(Archive& archive, Self& self) {
    if constexpr (std::is_const_v<Self>) {
      archive(self.seconds());
    } else {
      archive(self.spent_);
      self.began_ = std::chrono::steady_clock::now();
    }
  }

 private:
  double max_seconds_, spent_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace podium

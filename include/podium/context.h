// Everything an algorithm may use is passed here: seed, threads, communicator, observer, stop
// token, checkpoints, device. There are no globals, and the library never prints and never aborts.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "podium/checkpoint.h"
#include "podium/communicator.h"
#include "podium/device.h"
#include "podium/stop.h"
#include "podium/thread_pool.h"

namespace podium {

// One step of a long computation, as it is logged and shown.
struct Iteration {
  std::int64_t number = 0;                             // counted from 1
  std::int64_t total = 0;                              // 0: not known
  std::vector<std::pair<std::string, double>> values;  // "objective", "valid nDCG@10", …
};

// Receives typed events; the front end decides how to show them.
class Observer {
 public:
  virtual ~Observer() = default;
  // A phase begins: "reading train.txt", "training linear".
  virtual void phase(std::string_view) {}
  virtual void iteration(const Iteration&) {}
  // Something the user should know that is not an error: "rows 3, 91 of qid 7 not contiguous".
  // Options are written as described in option_text.h.
  virtual void note(std::string_view) {}
};

struct Context {
  std::uint64_t seed = 1;
  ThreadPool& pool;
  Communicator& comm;
  Observer& observer;
  std::stop_token stop = {};
  Checkpoints* checkpoints = nullptr;  // null: no checkpoints
  Device device = {};                  // where trees are grown and scored
};

// A check for stop requests inside a list; the context must outlive it. In a group of several ranks
// it never stops, because the others would wait for the rank that left.
inline StopCheck stop_inside(const Context& context) {
  return context.comm.size() == 1 ? StopCheck(context.stop) : StopCheck();
}

}  // namespace podium

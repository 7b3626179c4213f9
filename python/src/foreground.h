// Long work for Python. The work runs in its own thread without the GIL; meanwhile the calling
// thread checks for Ctrl-C and passes each iteration to a Python callback, so callbacks run in the
// user's thread. The work waits for a callback to return: one that returns True, or raises,
// requests a stop. (_training.py interprets what users' callbacks return.)
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>

#include "bindings.h"

namespace podium::python {

class Foreground final : public Observer {
 public:
  // What Ctrl-C does: it is raised, or it requests a stop, and the results so far are kept. A
  // second one is always raised.
  enum class Interrupt { raises, stops };

  explicit Foreground(nb::object callback, Interrupt interrupt = Interrupt::raises)
      : callback_(std::move(callback)), interrupt_(interrupt) {}

  // Whether Ctrl-C requested a stop.
  bool interrupted() const noexcept { return interrupted_.has_value(); }

  // Runs work(stop token) to its end; throws what it threw, or what a callback or a signal raised.
  // If the work stopped before it had a result it throws Stopped: then Ctrl-C is raised.
  void run(const std::function<void(std::stop_token)>& work);

  const std::vector<std::string>& notes() const noexcept { return notes_; }

  void iteration(const Iteration& step) override;
  void note(std::string_view text) override;

 private:
  void hand_over(const Iteration& step);
  void stop_for(nb::python_error error);

  nb::object callback_;  // None: no callback
  Interrupt interrupt_;
  std::stop_source stop_;
  std::optional<nb::python_error> raised_;       // by a callback or a signal
  std::optional<nb::python_error> interrupted_;  // the Ctrl-C that requested a stop
  std::mutex mutex_;
  std::condition_variable changed_;
  const Iteration* waiting_ = nullptr;  // for the callback
  bool finished_ = false;
  std::vector<std::string> notes_;
};

}  // namespace podium::python

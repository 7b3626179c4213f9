// Long work for Python. The work runs in its own thread without the GIL; meanwhile the calling
// thread checks for Ctrl-C and makes the work's calls of Python: each iteration goes to a callback,
// and each exchange with other workers to their group (python_communicator.h). So everything in
// Python runs in the user's thread. The work waits for a call to return: a callback that returns
// True, or raises, requests a stop. (_training.py interprets what users' callbacks return.)
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

  // For the work: runs `call` in the thread that called run(), with the GIL, and waits for it. If
  // it raises a Python exception the work gets an Error and must end; run() then raises the
  // exception.
  void in_caller(const std::function<void()>& call);

  const std::vector<std::string>& notes() const noexcept { return notes_; }

  void iteration(const Iteration& step) override;
  void note(std::string_view text) override;

 private:
  struct Call {
    const std::function<void()>& function;
    std::exception_ptr failure = nullptr;
    bool done = false;
  };
  void make(Call& call);
  void hand_over(const Iteration& step);
  void stop_for(nb::python_error error);

  nb::object callback_;  // None: no callback
  Interrupt interrupt_;
  std::stop_source stop_;
  std::optional<nb::python_error> raised_;       // by a callback, a call or a signal
  std::optional<nb::python_error> interrupted_;  // the Ctrl-C that requested a stop
  std::mutex mutex_;
  std::condition_variable changed_;
  Call* waiting_ = nullptr;  // for the calling thread
  bool finished_ = false;
  std::vector<std::string> notes_;
};

}  // namespace podium::python

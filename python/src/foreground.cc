#include "foreground.h"

#include <chrono>
#include <exception>
#include <thread>

#include "podium/error.h"

namespace podium::python {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{50};  // between checks for signals

}  // namespace

void Foreground::iteration(const Iteration& step) {
  if (callback_.is_none() || stop_.stop_requested()) return;
  in_caller([&] { hand_over(step); });
}

void Foreground::in_caller(const std::function<void()>& call) {
  Call mine{call};
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return waiting_ == nullptr; });  // several threads may call
  waiting_ = &mine;
  changed_.notify_all();
  changed_.wait(lock, [&mine] { return mine.done; });
  if (mine.failure) std::rethrow_exception(mine.failure);
}

void Foreground::note(std::string_view text) {
  const std::scoped_lock lock(mutex_);
  notes_.push_back(in_python(text));
}

// Requires the GIL. Exceptions of Python stay in this thread.
void Foreground::make(Call& call) {
  try {
    call.function();
  } catch (nb::python_error& error) {
    if (!raised_) raised_.emplace(std::move(error));
    stop_.request_stop();
    call.failure = std::make_exception_ptr(Error(ErrorCode::group, "a call of Python failed"));
  } catch (...) {  // rethrown in the thread that waits
    call.failure = std::current_exception();
  }
}

// Requires the GIL.
void Foreground::hand_over(const Iteration& step) {
  if (raised_) return;
  nb::dict values;
  for (const auto& [name, value] : step.values) values[name.c_str()] = value;
  try {
    const nb::object answer = callback_(step.number, step.total, values);
    const int truth = PyObject_IsTrue(answer.ptr());
    if (truth < 0) throw nb::python_error();
    if (truth > 0) stop_.request_stop();
  } catch (nb::python_error& error) {
    stop_for(std::move(error));
  }
}

// Requests a stop, for any exception.
void Foreground::stop_for(nb::python_error error) {
  const bool keeps =
      interrupt_ == Interrupt::stops && !interrupted_ && error.matches(PyExc_KeyboardInterrupt);
  (keeps ? interrupted_ : raised_).emplace(std::move(error));
  stop_.request_stop();
}

void Foreground::run(const std::function<void(std::stop_token)>& work) {
  std::exception_ptr failure;
  std::thread worker([&] {
    try {
      work(stop_.get_token());
    } catch (...) {  // rethrown below
      failure = std::current_exception();
    }
    const std::scoped_lock lock(mutex_);
    finished_ = true;
    changed_.notify_all();
  });
  for (bool finished = false; !finished;) {
    Call* call = nullptr;
    {
      const nb::gil_scoped_release free;
      std::unique_lock lock(mutex_);
      changed_.wait_for(lock, kBetweenLooks, [this] { return finished_ || waiting_; });
      finished = finished_;
      call = waiting_;
    }
    if (call) make(*call);
    if (!raised_ && PyErr_CheckSignals() != 0) stop_for(nb::python_error());
    if (call) {
      const std::scoped_lock lock(mutex_);
      waiting_ = nullptr;
      call->done = true;
      changed_.notify_all();
    }
  }
  {
    const nb::gil_scoped_release free;
    worker.join();
  }
  if (raised_) throw nb::python_error(std::move(*raised_));
  try {
    if (failure) std::rethrow_exception(failure);
  } catch (const Stopped&) {
    if (interrupted_) throw nb::python_error(std::move(*interrupted_));
    throw;
  }
}

}  // namespace podium::python

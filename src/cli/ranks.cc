#include "cli/ranks.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <new>

#include <fmt/format.h>
#include <pthread.h>

#include "cli/command.h"
#include "cli/flags.h"
#include "core/printable.h"
#include "core/unfinished_files.h"
#include "distributed/mpi/launcher.h"
#include "distributed/mpi/mpi_module.h"

namespace podium::cli {
namespace {

constexpr std::chrono::seconds kForTheLauncher{4};  // it gives ranks one second to end

// Most messages can be printed without allocating memory, which may be exhausted.
void print_error(std::string_view message) {
  const bool is_plain =
      std::all_of(message.begin(), message.end(), [](char c) { return c >= 0x20 && c < 0x7F; });
  if (is_plain)
    fmt::print(stderr, "podium: error: {}\n", message);
  else
    fmt::print(stderr, "podium: error: {}\n", printable(with_flags(message)));
}

// During its lifetime, new threads block the signals that stop_on_signal() waits for: MPI's threads
// would receive them.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : {SIGINT, SIGTERM, SIGUSR1}) sigaddset(&signals, signal);
    pthread_sigmask(SIG_BLOCK, &signals, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

// Without allocating memory, which may be exhausted.
const char* text_of(const std::exception& error) {
  return dynamic_cast<const std::bad_alloc*>(&error) ? "not enough memory" : error.what();
}
int exit_code_of(const std::exception& error) {
  if (const auto* const interrupted = dynamic_cast<const Interrupted*>(&error))
    return exit_code_of_signal(interrupted->signal());
  const auto* const known = dynamic_cast<const Error*>(&error);
  return known && known->code() == ErrorCode::usage ? 2 : 1;
}

MpiGroup::Failure failure_of(const std::exception& error) {
  MpiGroup::Failure failure;
  if (dynamic_cast<const AnotherRankFailed*>(&error)) return failure;
  failure.message = text_of(error);
  failure.of_group = dynamic_cast<const RankSilent*>(&error) != nullptr;
  failure.exit_code = exit_code_of(error);
  return failure;
}

}  // namespace

void Ranks::join() {
  const MpiLaunch launch = find_mpi_launch();
  if (!launch.launched) return;
  const SignalsBlocked blocked;
  silent_ = launch.rank != 0;
  group_ = std::make_unique<MpiGroup>(load_mpi());
  if (launch.size > 1 && group_->size() == 1) {
    group_.reset();
    throw Error(ErrorCode::usage,
                fmt::format("mpirun started {} processes that cannot connect: it belongs to a "
                            "different MPI than the one podium was built with, {}",
                            launch.size, mpi_version()));
  }
  silent_ = false;
  if (group_->rank() != 0 && !std::freopen("/dev/null", "w", stdout))
    throw Error(ErrorCode::file, "cannot open /dev/null");
}

void Ranks::require_possible(const std::vector<std::string>& arguments) const {
  if (!group_ || group_->size() == 1 || arguments.empty()) return;
  if (arguments[0] == "train" || arguments[0].starts_with('-')) return;
  throw Error(ErrorCode::usage,
              fmt::format("mpirun started {} processes, and only `podium train` can share its work "
                          "among them: start `podium {}` without it",
                          group_->size(), arguments[0]));
}

int Ranks::finish(int exit_code) {
  if (group_) group_->leave();
  return exit_code;
}

int Ranks::fail(const std::exception& error) {
  if (!group_) {
    if (!silent_) print_error(text_of(error));
    return exit_code_of(error);
  }
  const MpiGroup::Failure failure = failure_of(error);
  const MpiGroup::Verdict verdict = group_->agree_on_failure(failure);
  if (!verdict.message.empty()) print_error(verdict.message);
  remove_unfinished();
  // A host may be lost, and the launcher would wait for it.
  if (dynamic_cast<const RankSilent*>(&error)) end_launcher_after(kForTheLauncher);
  group_->leave_failed(verdict.exit_code);
  return verdict.exit_code;
}

}  // namespace podium::cli

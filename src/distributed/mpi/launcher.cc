#include "distributed/mpi/launcher.h"

#include <csignal>
#include <filesystem>
#include <string>

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace podium {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kForSignals{2000};

bool is_launcher(pid_t process) {
  std::error_code failed;
  const auto program =
      std::filesystem::read_symlink("/proc/" + std::to_string(process) + "/exe", failed).filename();
  return !failed && (program == "orterun" || program == "orted");  // mpirun is a link to orterun
}

// glibc 2.36 declares its wrappers of these two for C only.
int open_process(pid_t process) {
  return static_cast<int>(syscall(SYS_pidfd_open, process, 0));
}
void send_signal(int process, int signal) {
  syscall(SYS_pidfd_send_signal, process, signal, nullptr, 0);
}

// Whether the process ends within this time.
bool ends_within(int process, milliseconds time) {
  pollfd ended{process, POLLIN, 0};
  return poll(&ended, 1, static_cast<int>(time.count())) != 0;
}

// In a child of a process with threads: system calls only.
[[noreturn]] void watch(int launcher, milliseconds patience) {
  setsid();  // the launcher's signals to the rank's process group do not reach this process
  dup2(launcher, 0);
  close_range(1, ~0U, 0);  // the launcher waits until a rank's pipes are closed
  if (!ends_within(0, patience)) {
    // mpirun exits at once on a second signal within five seconds; with only one it keeps waiting,
    // or crashes. While stopped it receives both.
    for (const int signal : {SIGSTOP, SIGTERM, SIGINT, SIGCONT}) send_signal(0, signal);
    if (!ends_within(0, kForSignals)) send_signal(0, SIGKILL);
  }
  _exit(0);
}

}  // namespace

void end_launcher_after(milliseconds patience) {
  const pid_t parent = getppid();
  const int launcher = open_process(parent);
  if (launcher < 0) return;
  if (is_launcher(parent) && fork() == 0) watch(launcher, patience);
  close(launcher);
}

}  // namespace podium

#include "core/mapped_file.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/file_errors.h"
#include "core/printable.h"
#include "core/unfinished_files.h"
#include "podium/error.h"

namespace podium {
namespace {

// Mapped ranges, readable from a signal handler. A slot is free when begin is 0; begin is set last
// and cleared first. If all slots are taken, files are mapped without one, and lack only the clear
// message.
struct MappedRange {
  std::atomic<bool> taken{false};
  std::atomic<std::uintptr_t> begin{0};
  std::uintptr_t end = 0;
  std::array<char, 512> name{};
};
constinit std::array<MappedRange, 64> mapped_ranges{};

int register_range(const char* data, std::size_t size, const std::string& path) {
  for (std::size_t i = 0; i < mapped_ranges.size(); ++i) {
    MappedRange& slot = mapped_ranges[i];
    if (slot.taken.exchange(true)) continue;
    const std::string name = printable(path);
    const std::size_t length = std::min(name.size(), slot.name.size() - 1);
    std::memcpy(slot.name.data(), name.data(), length);
    slot.name[length] = '\0';
    slot.end = reinterpret_cast<std::uintptr_t>(data) + size;
    slot.begin.store(reinterpret_cast<std::uintptr_t>(data), std::memory_order_release);
    return static_cast<int>(i);
  }
  return -1;
}

void unregister_range(int index) {
  if (index < 0) return;
  MappedRange& slot = mapped_ranges[static_cast<std::size_t>(index)];
  slot.begin.store(0, std::memory_order_release);
  slot.taken.store(false);
}

void write_to_stderr(const char* text) {
  // Nothing can be done about a failing write while dying.
  if (write(STDERR_FILENO, text, std::strlen(text)) < 0) return;
}

// Several threads can access missing pages at the same moment: the first prints the message and
// ends the process, the others wait for that.
constinit std::atomic_flag told_of_truncation{};

void on_bus_error(int, siginfo_t* info, void*) {
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  for (const MappedRange& slot : mapped_ranges) {
    const std::uintptr_t begin = slot.begin.load(std::memory_order_acquire);
    if (begin == 0 || address < begin || address >= slot.end) continue;
    while (told_of_truncation.test_and_set()) pause();
    write_to_stderr("podium: error: ");
    write_to_stderr(slot.name.data());
    write_to_stderr(": the file was truncated while it was in use\n");
    remove_unfinished();
    _exit(1);
  }
  signal(SIGBUS, SIG_DFL);  // the instruction runs again and triggers the default action
}

}  // namespace

MappedFile::MappedFile(const std::string& path) : path_(path) {
  const FileDescriptor file = open_for_reading(path);
  struct stat status {};
  if (fstat(file.get(), &status) != 0) throw file_error(path, "cannot be read", errno);
  if (!S_ISREG(status.st_mode))
    throw Error(ErrorCode::file, "not a regular file, so it cannot be mapped", {path});
  size_ = static_cast<std::size_t>(status.st_size);
  if (size_ == 0) return;
  void* data = mmap(nullptr, size_, PROT_READ, MAP_SHARED, file.get(), 0);
  if (data == MAP_FAILED) throw file_error(path, "cannot be mapped into memory", errno);
  data_ = static_cast<const char*>(data);
  slot_ = register_range(data_, size_, path);
}

MappedFile::~MappedFile() {
  unregister_range(slot_);
  if (data_) munmap(const_cast<char*>(data_), size_);
}

void MappedFile::release(std::string_view part) const noexcept {
  static const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto first = reinterpret_cast<std::uintptr_t>(part.data());
  const std::uintptr_t begin = (first + page - 1) / page * page;
  const std::uintptr_t end = (first + part.size()) / page * page;
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

void install_truncation_handler() {
  struct sigaction action {};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, nullptr);
}

}  // namespace podium

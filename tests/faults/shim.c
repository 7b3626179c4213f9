// Injects faults into programs: a library for LD_PRELOAD that makes chosen system calls and
// allocations fail. It becomes active when main() begins, and makes its own system calls directly,
// so that they are not counted.
//
// PODIUM_FAULTS is a list CALL:WHEN:WHAT, separated by commas:
//
//   CALL  open read write fsync rename mmap unlink malloc (all allocations of the C library)
//
//   WHEN  5 (the fifth call), 5+ (the fifth and all later ones), %5 (every fifth)
//
//   WHAT  an error by name; `short`: half of the bytes; `shrink`: the file PODIUM_FAULT_VICTIM
//         loses its second half just before the call, which then continues as usual;
//         `rewrite`: a byte in the middle of that file changes (a digit stays a digit)
//
// PODIUM_FAULT_PATH   only calls on files whose path contains this count (not for malloc)
// PODIUM_FAULT_NOT    … and does not contain this
// PODIUM_FAULT_LOG    a file that gets a line for every path opened for writing, renamed or deleted
// PODIUM_FAULT_COUNT  a file that gets the number of calls of each kind at the end
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { kOpen, kRead, kWrite, kFsync, kRename, kMmap, kUnlink, kMalloc, kCalls };
static const char* const call_names[kCalls] = {"open",   "read", "write",  "fsync",
                                               "rename", "mmap", "unlink", "malloc"};
static const struct {
  const char* name;
  int number;
} errors[] = {{"ENOSPC", ENOSPC}, {"EIO", EIO},       {"EINTR", EINTR},   {"EROFS", EROFS},
              {"EMFILE", EMFILE}, {"ENOMEM", ENOMEM}, {"EDQUOT", EDQUOT}, {"EACCES", EACCES}};

enum { kShort = -1, kShrink = -2, kRewrite = -3 };
struct Fault {
  int call;
  enum { kOnce, kFrom, kEvery } when;
  long number;
  int what;  // an error number or one of the above
};
static struct Fault faults[8];
static int fault_count;
static atomic_long seen[kCalls];
static atomic_int armed;
static const char *path_part, *not_part, *victim, *log_path, *count_path;

// Ends the program: a test with an invalid setting must not pass.
static void give_up(const char* why, const char* text) {
  syscall(SYS_write, 2, why, strlen(why));
  syscall(SYS_write, 2, text, strlen(text));
  syscall(SYS_write, 2, "\n", 1);
  _exit(99);
}

static void log_line(const char* what, const char* path) {
  if (!log_path || !atomic_load(&armed)) return;
  const int file =
      (int)syscall(SYS_openat, AT_FDCWD, log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  char line[4200];
  const int length = snprintf(line, sizeof line, "%s %s\n", what, path);
  syscall(SYS_write, file, line, length);
  syscall(SYS_close, file);
}

static void shrink_victim(void) {
  const int file = (int)syscall(SYS_openat, AT_FDCWD, victim, O_WRONLY | O_CLOEXEC, 0);
  const long size = syscall(SYS_lseek, file, 0L, SEEK_END);
  syscall(SYS_ftruncate, file, size / 2);
  syscall(SYS_close, file);
}

static void rewrite_victim(void) {
  const int file = (int)syscall(SYS_openat, AT_FDCWD, victim, O_RDWR | O_CLOEXEC, 0);
  const long at = syscall(SYS_lseek, file, 0L, SEEK_END) / 2;
  char byte = 0;
  syscall(SYS_pread64, file, &byte, 1L, at);
  byte ^= 1;  // '0' and '1', '2' and '3', …
  syscall(SYS_pwrite64, file, &byte, 1L, at);
  syscall(SYS_close, file);
}

// What happens to the next call of this kind: 0 nothing, an error number, or kShort.
static int fate(int call) {
  if (!atomic_load(&armed)) return 0;
  const long number = atomic_fetch_add(&seen[call], 1) + 1;
  for (int i = 0; i < fault_count; ++i) {
    const struct Fault* f = &faults[i];
    if (f->call != call) continue;
    const int hit = f->when == kOnce   ? number == f->number
                    : f->when == kFrom ? number >= f->number
                                       : number % f->number == 0;
    if (!hit) continue;
    if (f->what == kShrink)
      shrink_victim();
    else if (f->what == kRewrite)
      rewrite_victim();
    else
      return f->what;
  }
  return 0;
}

static int concerns_path(const char* path) {
  return (!path_part || strstr(path, path_part)) && !(not_part && strstr(path, not_part));
}
static int concerns_file(int file) {
  if (!path_part && !not_part) return 1;
  char name[64], path[4096];
  snprintf(name, sizeof name, "/proc/self/fd/%d", file);
  const long length = syscall(SYS_readlinkat, AT_FDCWD, name, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = '\0';
  return concerns_path(path);
}

static int fail(int error) {
  errno = error;
  return -1;
}

static int do_open(int folder, const char* path, int flags, mode_t mode) {
  if ((flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT)) log_line("open", path);
  const int error = concerns_path(path) ? fate(kOpen) : 0;
  if (error > 0) return fail(error);
  return (int)syscall(SYS_openat, folder, path, flags, mode);
}

#define MODE_OF(flags, mode)                   \
  mode_t mode = 0;                             \
  if ((flags) & (O_CREAT | __O_TMPFILE)) {     \
    va_list rest;                              \
    va_start(rest, flags);                     \
    mode = (mode_t)va_arg(rest, unsigned int); \
    va_end(rest);                              \
  }
int open(const char* path, int flags, ...) {
  MODE_OF(flags, mode)
  return do_open(AT_FDCWD, path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  MODE_OF(flags, mode)
  return do_open(AT_FDCWD, path, flags | O_LARGEFILE, mode);
}
int openat(int folder, const char* path, int flags, ...) {
  MODE_OF(flags, mode)
  return do_open(folder, path, flags, mode);
}
int openat64(int folder, const char* path, int flags, ...) {
  MODE_OF(flags, mode)
  return do_open(folder, path, flags | O_LARGEFILE, mode);
}

static FILE* do_fopen(const char* name, const char* path, const char* mode) {
  if (!strchr(mode, 'r') || strchr(mode, '+')) log_line("open", path);
  FILE* (*real)(const char*, const char*);
  *(void**)&real = dlsym(RTLD_NEXT, name);
  return real(path, mode);
}
FILE* fopen(const char* path, const char* mode) {
  return do_fopen("fopen", path, mode);
}
FILE* fopen64(const char* path, const char* mode) {
  return do_fopen("fopen64", path, mode);
}

ssize_t read(int file, void* to, size_t size) {
  const int what = concerns_file(file) ? fate(kRead) : 0;
  if (what > 0) return fail(what);
  if (what == kShort && size > 1) size /= 2;
  return syscall(SYS_read, file, to, size);
}
ssize_t write(int file, const void* from, size_t size) {
  const int what = concerns_file(file) ? fate(kWrite) : 0;
  if (what > 0) return fail(what);
  if (what == kShort && size > 1) size /= 2;
  return syscall(SYS_write, file, from, size);
}
int fsync(int file) {
  const int error = concerns_file(file) ? fate(kFsync) : 0;
  return error > 0 ? fail(error) : (int)syscall(SYS_fsync, file);
}
int rename(const char* from, const char* to) {
  log_line("rename", to);
  const int error = concerns_path(from) ? fate(kRename) : 0;
  return error > 0 ? fail(error) : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}
int unlink(const char* path) {
  log_line("unlink", path);
  const int error = concerns_path(path) ? fate(kUnlink) : 0;
  return error > 0 ? fail(error) : (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

static void* do_mmap(void* at, size_t size, int protection, int flags, int file, off_t offset) {
  const int counts = file < 0 ? !path_part : concerns_file(file);
  const int error = counts ? fate(kMmap) : 0;
  if (error > 0) {
    errno = error;
    return MAP_FAILED;
  }
  return (void*)syscall(SYS_mmap, at, size, protection, flags, file, offset);
}
void* mmap(void* at, size_t size, int protection, int flags, int file, off_t offset) {
  return do_mmap(at, size, protection, flags, file, offset);
}
void* mmap64(void* at, size_t size, int protection, int flags, int file, off_t offset) {
  return do_mmap(at, size, protection, flags, file, offset);
}

void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* old, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

static int memory_fails(void) {
  const int error = fate(kMalloc);
  if (error > 0) errno = error;
  return error > 0;
}
void* malloc(size_t size) {
  return memory_fails() ? NULL : __libc_malloc(size);
}
void* calloc(size_t count, size_t size) {
  return memory_fails() ? NULL : __libc_calloc(count, size);
}
void* realloc(void* old, size_t size) {
  return memory_fails() ? NULL : __libc_realloc(old, size);
}
void* memalign(size_t alignment, size_t size) {
  return memory_fails() ? NULL : __libc_memalign(alignment, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
  return memory_fails() ? NULL : __libc_memalign(alignment, size);
}
int posix_memalign(void** out, size_t alignment, size_t size) {
  if (memory_fails()) return ENOMEM;
  *out = __libc_memalign(alignment, size);
  return *out ? 0 : ENOMEM;
}

static int index_of_call(const char* name) {
  for (int i = 0; i < kCalls; ++i)
    if (strcmp(call_names[i], name) == 0) return i;
  give_up("faults: unknown call ", name);
  return 0;
}
static int fault_named(const char* name) {
  if (strcmp(name, "short") == 0) return kShort;
  if (strcmp(name, "shrink") == 0) return kShrink;
  if (strcmp(name, "rewrite") == 0) return kRewrite;
  for (size_t i = 0; i < sizeof errors / sizeof *errors; ++i)
    if (strcmp(errors[i].name, name) == 0) return errors[i].number;
  give_up("faults: unknown fault ", name);
  return 0;
}
static void parse_fault(const char* text) {
  char call[16], when[16], what[16];
  if (fault_count == 8 || sscanf(text, "%15[^:]:%15[^:]:%15[^,]", call, when, what) != 3)
    give_up("faults: not CALL:WHEN:WHAT: ", text);
  struct Fault* f = &faults[fault_count++];
  f->call = index_of_call(call);
  f->what = fault_named(what);
  f->when = when[0] == '%' ? kEvery : when[strlen(when) - 1] == '+' ? kFrom : kOnce;
  f->number = atol(when + (when[0] == '%'));
  if (f->number < 1) give_up("faults: WHEN is a number from 1: ", text);
  if (f->what < kShort && !victim) give_up("faults: this needs PODIUM_FAULT_VICTIM: ", text);
}

static void write_counts(void) {
  atomic_store(&armed, 0);
  const int file =
      (int)syscall(SYS_openat, AT_FDCWD, count_path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  for (int i = 0; i < kCalls; ++i) {
    char line[64];
    const int length =
        snprintf(line, sizeof line, "%s %ld\n", call_names[i], atomic_load(&seen[i]));
    syscall(SYS_write, file, line, length);
  }
  syscall(SYS_close, file);
}

static int (*real_main)(int, char**, char**);
static int main_with_faults(int count, char** arguments, char** environment) {
  if (count_path) atexit(write_counts);
  atomic_store(&armed, 1);
  const int code = real_main(count, arguments, environment);
  if (!count_path) atomic_store(&armed, 0);
  return code;
}

int __libc_start_main(int (*main)(int, char**, char**), int count, char** arguments,
                      void (*init)(void), void (*fini)(void), void (*loader_fini)(void),
                      void* stack_end) {
  path_part = getenv("PODIUM_FAULT_PATH");
  not_part = getenv("PODIUM_FAULT_NOT");
  victim = getenv("PODIUM_FAULT_VICTIM");
  log_path = getenv("PODIUM_FAULT_LOG");
  count_path = getenv("PODIUM_FAULT_COUNT");
  for (const char* text = getenv("PODIUM_FAULTS"); text && *text;) {
    parse_fault(text);
    text = strchr(text, ',');
    if (text) ++text;
  }
  real_main = main;
  int (*real)(int (*)(int, char**, char**), int, char**, void (*)(void), void (*)(void),
              void (*)(void), void*);
  *(void**)&real = dlsym(RTLD_NEXT, "__libc_start_main");
  return real(main_with_faults, count, arguments, init, fini, loader_fini, stack_end);
}

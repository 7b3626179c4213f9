/* Functions that GCC 12's libstdc++ or Podium calls and that glibc 2.17 lacks. Binaries of wheels define them themselves (hidden), so that they
 * start with an old C library; where the C library has the function, it is called. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#define HIDDEN __attribute__((visibility("hidden")))

/* glibc 2.32. "0: there may be several threads" is always true: shared pointers then count atomically. */
HIDDEN char __libc_single_threaded = 0;

/* glibc 2.34. */
HIDDEN int close_range(unsigned first, unsigned last, int flags) {
  return (int)syscall(436, first, last, flags);
}

/* glibc 2.30. The older function counts on the wall clock: a deadline of the steady clock is moved there. */
typedef int clockwait_function(pthread_cond_t*, pthread_mutex_t*, clockid_t, const struct timespec*);

HIDDEN int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                                  const struct timespec* deadline) {
  clockwait_function* native;
  *(void**)&native = dlsym(RTLD_DEFAULT, "pthread_cond_clockwait");
  if (native) return native(condition, mutex, clock, deadline);
  const int64_t second = 1000000000;
  struct timespec now, wall;
  clock_gettime(clock, &now);
  clock_gettime(CLOCK_REALTIME, &wall);
  int64_t left = (deadline->tv_sec - now.tv_sec) * second + (deadline->tv_nsec - now.tv_nsec);
  if (left < 0) left = 0;
  const int64_t nanoseconds = wall.tv_nsec + left;
  struct timespec until = {wall.tv_sec + nanoseconds / second, nanoseconds % second};
  return pthread_cond_timedwait(condition, mutex, &until);
}

/* glibc 2.25. Linux before 3.17 has no such system call: /dev/urandom gives the same bytes. */
HIDDEN int getentropy(void* buffer, size_t size) {
  if (syscall(SYS_getrandom, buffer, size, 0) == (long)size) return 0;
  const int file = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  const ssize_t got = read(file, buffer, size);
  close(file);
  if (got == (ssize_t)size) return 0;
  errno = EIO;
  return -1;
}

/* glibc 2.36. Used for std::random_device, which cannot fail quietly. */
HIDDEN uint32_t arc4random(void) {
  uint32_t value;
  if (getentropy(&value, sizeof value) != 0) abort();
  return value;
}

/* glibc 2.18. Destroys a thread's objects when it ends, the last one first. Without the C library's function those of the main thread, whose
 * end is that of the process, are not destroyed. */
typedef void destructor_function(void*);
typedef int thread_atexit_function(destructor_function*, void*, void*);

struct thread_object {
  destructor_function* destroy;
  void* object;
  struct thread_object* before;
};

static pthread_key_t last_object_key;
static pthread_once_t last_object_once = PTHREAD_ONCE_INIT;

static void destroy_objects(void* last) {
  for (struct thread_object* one = last; one;) {
    pthread_setspecific(last_object_key, one->before);
    one->destroy(one->object);
    free(one);
    one = pthread_getspecific(last_object_key); /* a destructor may have made objects */
  }
}

static void make_last_object_key(void) {
  if (pthread_key_create(&last_object_key, destroy_objects) != 0) abort();
}

HIDDEN int __cxa_thread_atexit_impl(destructor_function* destroy, void* object, void* library) {
  thread_atexit_function* native;
  *(void**)&native = dlsym(RTLD_DEFAULT, "__cxa_thread_atexit_impl");
  if (native) return native(destroy, object, library);
  pthread_once(&last_object_once, make_last_object_key);
  struct thread_object* one = malloc(sizeof *one);
  if (!one) abort();
  *one = (struct thread_object){destroy, object, pthread_getspecific(last_object_key)};
  return pthread_setspecific(last_object_key, one);
}

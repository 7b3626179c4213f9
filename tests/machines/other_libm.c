// A C library whose elementary functions differ in the last bit, for LD_PRELOAD: each returns the
// original result moved to the next floating-point number. IEEE 754 does not allow this for sqrt,
// fma, floor, ldexp and similar functions, so these are unchanged. PODIUM_LIBM_LOG names a file
// that gets a line for each function that was called.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static void* real_function(const char* name) {
  const char* const log = getenv("PODIUM_LIBM_LOG");
  FILE* const file = log ? fopen(log, "a") : NULL;
  if (file) {
    fprintf(file, "%s\n", name);
    fclose(file);
  }
  return dlsym(RTLD_NEXT, name);
}

static double next(double y) {
  return y == 0 || isinf(y) ? y : nextafter(y, INFINITY);
}
static float nextf(float y) {
  return y == 0 || isinf(y) ? y : nextafterf(y, INFINITY);
}

#define NUDGED(type, move, name, parameters, arguments)                   \
  type name parameters {                                                  \
    static _Atomic(void*) found;                                          \
    if (!atomic_load(&found)) atomic_store(&found, real_function(#name)); \
    type(*real) parameters;                                               \
    *(void**)&real = atomic_load(&found);                                 \
    return move(real arguments);                                          \
  }
#define ONE(name)                             \
  NUDGED(double, next, name, (double x), (x)) \
  NUDGED(float, nextf, name##f, (float x), (x))
#define TWO(name)                                          \
  NUDGED(double, next, name, (double x, double y), (x, y)) \
  NUDGED(float, nextf, name##f, (float x, float y), (x, y))

ONE(exp)
ONE(exp2)
ONE(exp10)
ONE(expm1)
ONE(log)
ONE(log2)
ONE(log10)
ONE(log1p)
ONE(sin)
ONE(cos)
ONE(tan)
ONE(asin)
ONE(acos)
ONE(atan)
ONE(sinh)
ONE(cosh)
ONE(tanh)
ONE(asinh)
ONE(acosh)
ONE(atanh)
ONE(erf)
ONE(erfc)
ONE(cbrt)
ONE(lgamma)
ONE(tgamma)
TWO(pow)
TWO(hypot)
TWO(atan2)

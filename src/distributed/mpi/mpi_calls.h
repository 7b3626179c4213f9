// The part of MPI that Podium uses, with its own types. mpi.cc implements it and is the only file
// that includes <mpi.h>: a module that is loaded only if mpirun started the program (mpi_module.h).
// So a plain start does not pay for MPI's libraries, and the same program runs on machines without
// them.
//
// All calls come from the main thread. Those that return an int return MPI's error code; 0:
// success.
#pragma once

#include <cstddef>
#include <cstdint>

namespace podium {

class MpiCalls {
 public:
  virtual ~MpiCalls() = default;

  using Request = int;                   // a transfer in progress; its buffers must stay alive
  enum class Channel { data, control };  // separate message streams
  static constexpr Request kNone = -1;

  // May be called before begin().
  virtual const char* library() const = 0;

  virtual int begin() = 0;
  virtual int end() = 0;
  virtual void abort(int exit_code) = 0;
  virtual const char* text(int error) = 0;
  virtual int rank() const = 0;
  virtual int size() const = 0;

  // Over all ranks, in place.
  virtual int start_sum(std::int64_t* values, int count, Request& request) = 0;
  // bytes[r] of rank r go to all + begins[r], on every rank.
  virtual int start_gather(const std::byte* mine, std::byte* all, const int* bytes,
                           const int* begins, Request& request) = 0;
  virtual int start_send(int to, Channel channel, const std::byte* from, int bytes,
                         Request& request) = 0;
  virtual int start_receive(int from, Channel channel, std::byte* to, int bytes,
                            Request& request) = 0;
  // Sets request to kNone when it is complete, and `received` to the number of bytes of a receive.
  virtual int test(Request& request, int& received) = 0;
  // The next message of the channel; from is −1 if there is none.
  virtual int look(Channel channel, int& from, int& bytes) = 0;
};

// What the module exports: its one instance, or nullptr for another version of this interface.
constexpr int kMpiCallsVersion = 1;
constexpr const char* kMpiCallsFunction = "podium_mpi_calls";
using MpiCallsFunction = MpiCalls*(int version);

}  // namespace podium

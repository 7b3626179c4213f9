// The module that calls MPI. It makes no decisions: mpi_group.cc does.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <cstdlib>
#include <vector>

#include <mpi.h>

#include "distributed/mpi/mpi_calls.h"

namespace podium {
namespace {

class Mpi final : public MpiCalls {
 public:
  const char* library() const override {
    static char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int size = 0;
    if (MPI_Get_library_version(text, &size) != MPI_SUCCESS) text[0] = '\0';
    return text;
  }

  int begin() override {
    // When cores are shared, Open MPI would yield (sched_yield) in every poll, which costs a time
    // slice each; the caller sleeps between polls instead.
    setenv("OMPI_MCA_mpi_yield_when_idle", "0", 0);
    int provided = 0;
    if (const int error = MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided))
      return error;
    if (const int error = MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)) return error;
    for (MPI_Comm* channel : {&data_, &control_})  // they inherit the error handler
      if (const int error = MPI_Comm_dup(MPI_COMM_WORLD, channel)) return error;
    if (const int error = MPI_Comm_rank(data_, &rank_)) return error;
    return MPI_Comm_size(data_, &size_);
  }
  int end() override { return MPI_Finalize(); }
  void abort(int exit_code) override { MPI_Abort(MPI_COMM_WORLD, exit_code); }
  const char* text(int error) override {
    static char text[MPI_MAX_ERROR_STRING] = "";
    int size = 0;
    return MPI_Error_string(error, text, &size) == MPI_SUCCESS ? text : "unknown MPI error";
  }
  int rank() const override { return rank_; }
  int size() const override { return size_; }

  int start_sum(std::int64_t* values, int count, Request& request) override {
    return MPI_Iallreduce(MPI_IN_PLACE, values, count, MPI_INT64_T, MPI_SUM, data_,
                          &place(request));
  }
  int start_gather(const std::byte* mine, std::byte* all, const int* bytes, const int* begins,
                   Request& request) override {
    return MPI_Iallgatherv(mine, bytes[rank_], MPI_BYTE, all, bytes, begins, MPI_BYTE, data_,
                           &place(request));
  }
  int start_send(int to, Channel channel, const std::byte* from, int bytes,
                 Request& request) override {
    return MPI_Isend(from, bytes, MPI_BYTE, to, kTag, communicator(channel), &place(request));
  }
  int start_receive(int from, Channel channel, std::byte* to, int bytes,
                    Request& request) override {
    return MPI_Irecv(to, bytes, MPI_BYTE, from, kTag, communicator(channel), &place(request));
  }
  int test(Request& request, int& received) override {
    MPI_Request& known = requests_[static_cast<std::size_t>(request)];
    MPI_Status status;
    int done = 0;
    if (const int error = MPI_Test(&known, &done, &status)) return error;
    if (!done) return MPI_SUCCESS;
    free_.push_back(request);
    request = kNone;
    return MPI_Get_count(&status, MPI_BYTE, &received);
  }
  int look(Channel channel, int& from, int& bytes) override {
    MPI_Status status;
    int found = 0;
    from = -1;
    const int error = MPI_Iprobe(MPI_ANY_SOURCE, kTag, communicator(channel), &found, &status);
    if (error != MPI_SUCCESS || !found) return error;
    from = status.MPI_SOURCE;
    return MPI_Get_count(&status, MPI_BYTE, &bytes);
  }

 private:
  static constexpr int kTag = 1;

  MPI_Comm communicator(Channel channel) const {
    return channel == Channel::data ? data_ : control_;
  }
  MPI_Request& place(Request& request) {
    if (free_.empty()) {
      free_.push_back(static_cast<Request>(requests_.size()));
      requests_.push_back(MPI_REQUEST_NULL);
    }
    request = free_.back();
    free_.pop_back();
    return requests_[static_cast<std::size_t>(request)];
  }

  MPI_Comm data_ = MPI_COMM_NULL, control_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
  std::vector<MPI_Request> requests_;
  std::vector<Request> free_;
};

}  // namespace
}  // namespace podium

extern "C" __attribute__((visibility("default"))) podium::MpiCalls* podium_mpi_calls(int version) {
  static podium::Mpi mpi;
  return version == podium::kMpiCallsVersion ? &mpi : nullptr;
}

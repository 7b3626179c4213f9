// The processes that mpirun started, as a Communicator.
//
// Every wait polls MPI and sleeps in between, so that waiting ranks do not take shared cores from
// ranks that compute, and so that no rank waits forever: a rank that fails tells the others, and a
// rank that does not answer within the time-out is given up.
//
// Bytes sent per rank, for n bytes and P ranks: a sum of integers 2 n (P − 1) / P (MPI implements
// it as reduce-scatter and gather for long vectors), another reduction n ⌈log₂ P⌉ (recursive
// doubling), a gather n (P − 1).
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "distributed/mpi/mpi_calls.h"
#include "podium/communicator.h"
#include "podium/error.h"

namespace podium {

// Thrown if a rank waits for others and one of them has failed: that rank reports the reason.
class AnotherRankFailed : public Error {
 public:
  explicit AnotherRankFailed(int rank);
};

// Thrown if ranks have not answered for too long.
class RankSilent : public Error {
 public:
  explicit RankSilent(std::string_view message) : Error(ErrorCode::group, message) {}
};

class MpiGroup final : public Communicator {
 public:
  // Joins the group; every rank must do so.
  explicit MpiGroup(MpiCalls& mpi);
  ~MpiGroup() override = default;

  int rank() const noexcept override { return rank_; }
  int size() const noexcept override { return size_; }
  std::vector<std::vector<std::byte>> all_gather(std::span<const std::byte> mine) override;
  void all_reduce_sum(std::span<std::int64_t> values) override;
  void all_reduce(std::span<std::byte> values, const Add& add) override;

  // How long to wait for a rank, and what to add to the message if it does not answer.
  void wait_at_most(std::chrono::duration<double> limit) { limit_ = limit; }
  void advise(std::function<std::string()> advice) { advice_ = std::move(advice); }

  // The last call of a rank: waits until all have finished.
  void leave();

  // Why a rank cannot continue. Empty: another rank failed, and reports it.
  struct Failure {
    std::string message;
    bool of_group = false;  // any rank may report it
    int exit_code = 1;
    bool waiting = false;  // transfers are in progress that will never finish

    template <class Archive, class Self>
    static void fields(Archive& archive, Self& self) {
      archive(self.message, self.of_group, self.exit_code, self.waiting);
    }
  };
  // Tells the others and receives their failures. Returns what this rank must print (usually
  // nothing), and the exit code.
  struct Verdict {
    std::string message;
    int exit_code = 1;
  };
  Verdict agree_on_failure(Failure mine);
  // Ends this process, and aborts those that do not know about the failure yet.
  void leave_failed(int exit_code);

 private:
  struct Transfer {
    MpiCalls::Request request = MpiCalls::kNone;
    int received = 0;
  };
  void check(int error) const;
  void enter();
  void wait(std::span<Transfer> transfers);
  void wait_or_give_up(std::span<Transfer> transfers);
  bool all_done(std::span<Transfer> transfers);
  void hear_control();
  void say_waiting();
  void send_control(int to, std::vector<std::byte> bytes);
  [[noreturn]] void give_up() const;
  void exchange(int send_to, std::span<const std::byte> out, int receive_from,
                std::span<std::byte> in);

  MpiCalls& mpi_;
  int rank_ = 0, size_ = 1;
  std::chrono::duration<double> limit_ = std::chrono::seconds(600);
  std::function<std::string()> advice_;
  std::uint64_t calls_ = 0;                  // collective calls so far, the same on every rank
  std::vector<std::uint64_t> heard_;         // the call that each rank reported waiting in
  std::map<int, Failure> failures_;          // by rank
  std::deque<std::vector<std::byte>> said_;  // control messages sent; kept until the end
  bool waiting_ = false;
  std::exception_ptr broken_;  // why the group gave up: every later call throws it again
  // The buffers of transfers. They outlive a call that gives up, because its transfers may still be
  // in progress.
  struct Buffers {
    std::vector<std::byte> out, in;
    std::vector<int> bytes, begins;
  } buffers_;
};

}  // namespace podium

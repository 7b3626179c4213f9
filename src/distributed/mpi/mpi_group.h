// The processes that mpirun started, as a Communicator.
//
// Every wait polls MPI and sleeps in between, so that ranks that share cores do not
// take them from those that compute, and so that no rank waits forever: a rank that fails tells the
// others, and one that does not answer within the time-out is given up.
//
// What is sent, a rank, for n bytes and P ranks: a sum of integers 2 n (P − 1) / P (MPI's own, as
// its reduce-scatter and gather for long vectors), another reduction n ⌈log₂ P⌉ (recursive
// doubling), a gathering n (P − 1).
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

// Thrown where a rank waits for others and one of them has failed: that rank says why.
class AnotherRankFailed : public Error {
 public:
  explicit AnotherRankFailed(int rank);
};

// Thrown where ranks have not answered for too long.
class RankSilent : public Error {
 public:
  explicit RankSilent(std::string_view message) : Error(ErrorCode::group, message) {}
};

class MpiGroup final : public Communicator {
 public:
  // Joins the group: every rank does.
  explicit MpiGroup(MpiCalls& mpi);
  ~MpiGroup() override = default;

  int rank() const noexcept override { return rank_; }
  int size() const noexcept override { return size_; }
  std::vector<std::vector<std::byte>> all_gather(std::span<const std::byte> mine) override;
  void all_reduce_sum(std::span<std::int64_t> values) override;
  void all_reduce(std::span<std::byte> values, const Add& add) override;

  // How long to wait for a rank, and what to add to the message when that was in vain.
  void wait_at_most(std::chrono::duration<double> limit) { limit_ = limit; }
  void advise(std::function<std::string()> advice) { advice_ = std::move(advice); }

  // The last call of a rank: all have finished.
  void leave();

  // Why a rank cannot continue. Empty: another rank failed, and reports it.
  struct Failure {
    std::string message;
    bool of_group = false;  // no matter which rank says it
    int exit_code = 1;
    bool waiting = false;  // transfers are in progress that will never finish

    template <class Archive, class Self>
    static void fields(Archive& archive, Self& self) {
      archive(self.message, self.of_group, self.exit_code, self.waiting);
    }
  };
  // Tells the others and hears what they have to say. Returns what this rank has to print (most
  // often nothing), and the exit code.
  struct Verdict {
    std::string message;
    int exit_code = 1;
  };
  Verdict agree_on_failure(Failure mine);
  // Ends this process, and by force those that do not know yet.
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
  std::vector<std::uint64_t> heard_;         // the call that each rank said it waits in
  std::map<int, Failure> failures_;          // by rank
  std::deque<std::vector<std::byte>> said_;  // control messages stay until the end
  bool waiting_ = false;
  std::exception_ptr broken_;  // why the group gave up: every later call says it again
  // What transfers read and write. They outlive a call that gives up, for its transfers may still
  // be under way.
  struct Buffers {
    std::vector<std::byte> out, in;
    std::vector<int> bytes, begins;
  } buffers_;
};

}  // namespace podium

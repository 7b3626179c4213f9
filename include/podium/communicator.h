// Communication between ranks. Every trainer is written against this interface: a single process is
// a group of one rank, and threads of one process (in tests) or MPI processes can be a group.
//
// There is no sum of doubles here: it would depend on how the data is distributed. Sums of integers
// do not, nor do those of core/exact_sum.h and core/order_free_sums.h, which
// distributed/over_ranks.h totals across ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace podium {

class Communicator {
 public:
  virtual ~Communicator() = default;
  virtual int rank() const noexcept = 0;
  virtual int size() const noexcept = 0;

  // Each rank's bytes, in rank order, on every rank. Lengths may differ. Acts as a barrier.
  virtual std::vector<std::vector<std::byte>> all_gather(std::span<const std::byte> mine) = 0;
  // Element-wise sums over ranks, in place, on every rank. Lengths must agree.
  virtual void all_reduce_sum(std::span<std::int64_t> values);
  // The same for arbitrary data; `add` adds the second argument to the first, and must not depend
  // on the order.
  using Add = std::function<void(std::span<std::byte> into, std::span<const std::byte> other)>;
  virtual void all_reduce(std::span<std::byte> values, const Add& add);

  // Bytes sent by this rank so far, as counted by the group.
  std::uint64_t bytes_sent() const noexcept { return bytes_sent_; }

 protected:
  std::uint64_t bytes_sent_ = 0;
};

// A group of one.
std::unique_ptr<Communicator> make_local_communicator();

// Runs body once per rank, each in its own thread, with communicators of one group. When a rank
// throws, the others' next collective call throws too, and the first exception is rethrown.
void run_in_threads(int ranks, const std::function<void(Communicator&)>& body);

}  // namespace podium

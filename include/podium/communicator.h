// What ranks say to each other. Every trainer is written against this interface: one process is a
// group of one rank, threads of one process can be a group (tests), and so can MPI processes.
// Sums are combined in rank order, so every rank sees the same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace podium {

class Communicator {
 public:
  virtual ~Communicator() = default;
  virtual int rank() const noexcept = 0;
  virtual int size() const noexcept = 0;

  // Each rank's bytes, in rank order, on every rank. Lengths may differ. Acts as a barrier.
  virtual std::vector<std::vector<std::byte>> all_gather(std::span<const std::byte> mine) = 0;
  // Element-wise sums over ranks, in place, on every rank.
  virtual void all_reduce_sum(std::span<double> values);
  virtual void all_reduce_sum(std::span<std::int64_t> values);
};

// A group of one.
std::unique_ptr<Communicator> make_local_communicator();

// Runs body once per rank, each in a thread of its own, with communicators of one group. When a
// rank throws, the others' next collective call throws too, and the first exception is rethrown.
void run_in_threads(int ranks, const std::function<void(Communicator&)>& body);

}  // namespace podium

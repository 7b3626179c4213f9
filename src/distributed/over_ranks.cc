#include "distributed/over_ranks.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace podium {

double sum_over_ranks(const ExactSum& mine, Communicator& comm) {
  if (comm.size() == 1) return mine.value();
  auto bytes = mine.bytes();
  comm.all_reduce(bytes, [](std::span<std::byte> into, std::span<const std::byte> other) {
    ExactSum sum = ExactSum::from_bytes(into);
    sum += ExactSum::from_bytes(other);
    const auto total = sum.bytes();
    std::memcpy(into.data(), total.data(), total.size());
  });
  return ExactSum::from_bytes(bytes).value();
}

double sum_over_ranks(std::span<const double> mine, Communicator& comm) {
  ExactSum sum;
  for (const double x : mine) sum += x;
  return sum_over_ranks(sum, comm);
}

std::vector<double> sum_over_ranks(OrderFreeSums mine, Communicator& comm) {
  if (comm.size() == 1) return mine.values();
  auto bytes = mine.bytes();
  mine = {};
  comm.all_reduce(bytes, OrderFreeSums::add_bytes);
  return OrderFreeSums::from_bytes(bytes).values();
}

std::size_t count_over_ranks(std::size_t mine, Communicator& comm) {
  auto count = static_cast<std::int64_t>(mine);
  comm.all_reduce_sum(std::span(&count, 1));
  return static_cast<std::size_t>(count);
}

double max_over_ranks(double mine, Communicator& comm) {
  if (comm.size() == 1) return mine;
  double largest = -std::numeric_limits<double>::infinity();
  for (const auto& bytes : comm.all_gather(std::as_bytes(std::span(&mine, 1)))) {
    double other = 0;
    std::memcpy(&other, bytes.data(), sizeof(other));
    largest = std::max(largest, other);
  }
  return largest;
}

bool on_any_rank(bool mine, Communicator& comm) {
  if (comm.size() == 1) return mine;
  std::int64_t count = mine;
  comm.all_reduce_sum(std::span(&count, 1));
  return count > 0;
}

}  // namespace podium

// Values over all ranks: sums whose bits do not depend on how the data is distributed, extremes,
// and decisions. Every rank must call these, and every rank gets the same result.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/exact_sum.h"
#include "core/order_free_sums.h"
#include "podium/communicator.h"

namespace podium {

// The sum of all ranks' values, correctly rounded.
double sum_over_ranks(const ExactSum& mine, Communicator& comm);
double sum_over_ranks(std::span<const double> mine, Communicator& comm);

// Element by element.
std::vector<double> sum_over_ranks(OrderFreeSums mine, Communicator& comm);

std::size_t count_over_ranks(std::size_t mine, Communicator& comm);

double max_over_ranks(double mine, Communicator& comm);

// Whether `mine` is true on any rank.
bool on_any_rank(bool mine, Communicator& comm);

}  // namespace podium

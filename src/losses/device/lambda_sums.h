// The sums over pairs of a λ-rule, by one block.
//
// The CPU adds up pivot by pivot: pivot p with all ranks j after it, in blocks of kPairBlock pairs,
// the p-th row of sums in kPairBlock partial sums. Each of these sums has one order, and different
// sums do not meet before they are complete. So a thread here does one of them from its first term
// to its last: for each document the terms that it gets from the pivots above it (columns), for
// each pivot and each of its partial sums the terms of every kPairBlock-th rank (rows). Pairs are
// computed twice, which costs less than exchanging them. Also included are the same terms of
// weight 0 as on the CPU: they matter if a cost is not finite.
#pragma once

#include <cstdint>

#include "device/kernel.h"
#include "losses/device/pair_weights.h"

namespace podium {

struct PairSums {
  double force, first, second;
};

// The derivatives of a ranked list, before scaling.
template <class Function, unsigned kThreads>
struct LambdaSums {
  using Partial = PairSums;
  static constexpr unsigned kPivotsAtOnce = kThreads / kPairBlock;

  const RankedList& list;
  const DevicePairWeights& weights;
  PairShape shape;
  std::uint64_t pivots;

  struct Term {
    double pull, slope, curvature;
  };
  // j may be any place of a block with pairs of p, also behind the last document.
  PODIUM_BOTH Term term(std::uint64_t p, std::uint64_t j) const {
    const bool is_pair = j > p && j < list.documents;
    if (j >= list.documents) j = list.documents - 1;
    const double gap = double{list.grade[p]} - list.grade[j];
    const bool reversed = gap < 0;
    const double lead = list.score[p] - list.score[j];
    one_lane::Pairs pair{reversed ? -lead : lead, one_lane::magnitude(lead),
                         one_lane::magnitude(gap), 0, 0};
    if constexpr (Function::kFromPowers) {
      pair.better = list.power[reversed ? j : p];
      pair.worse = list.power[reversed ? p : j];
    }
    const auto costs = Function::at(pair, shape);
    const double weight = is_pair ? weights.of(list, p, j) : 0;
    const double pull = weight * costs.first;
    return {pull, reversed ? -pull : pull, weight * costs.second};
  }

  PODIUM_BOTH void column(std::uint64_t j) const {
    double first = 0, second = 0;
    const std::uint64_t in_block = (j / kPairBlock + 1) * kPairBlock - 1;
    const std::uint64_t end = in_block < pivots ? in_block : pivots;
    for (std::uint64_t p = 0; p < end; ++p) {
      const Term one = term(p, j);
      first = first - one.slope;
      second = second + one.curvature;
    }
    list.first[j] = first;
    list.second[j] = second;
  }

  PODIUM_BOTH Partial part_of_row(std::uint64_t p, unsigned lane) const {
    Partial part{0, 0, 0};
    for (std::uint64_t j = (p + 1) / kPairBlock * kPairBlock + lane; j - lane < list.documents;
         j += kPairBlock) {
      const Term one = term(p, j);
      part.force -= one.pull;
      part.first += one.slope;
      part.second += one.curvature;
    }
    return part;
  }

  template <double Partial::*member>
  PODIUM_BOTH static double total(const Partial* part) {
    return ((part[0].*member + part[4].*member) + (part[2].*member + part[6].*member)) +
           ((part[1].*member + part[5].*member) + (part[3].*member + part[7].*member));
  }

  template <class Block>
  PODIUM_BOTH void run(Block& block, Partial* partial) const {
    block.each([&](unsigned thread) {
      for (std::uint64_t j = thread; j < list.documents; j += kThreads) column(j);
    });
    for (std::uint64_t begin = 0; begin < pivots; begin += kPivotsAtOnce) {
      block.each([&](unsigned thread) {
        const std::uint64_t p = begin + thread / kPairBlock;
        if (p < pivots) partial[thread] = part_of_row(p, thread % kPairBlock);
      });
      block.each([&](unsigned thread) {
        const std::uint64_t p = begin + thread;
        if (thread >= kPivotsAtOnce || p >= pivots) return;
        const Partial* const parts = partial + thread * kPairBlock;
        list.force[p] = total<&Partial::force>(parts);
        list.first[p] += total<&Partial::first>(parts);
        list.second[p] += total<&Partial::second>(parts);
      });
    }
  }
};

}  // namespace podium

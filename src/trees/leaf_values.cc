#include "trees/leaf_values.h"

#include <algorithm>
#include <cmath>

#include "trees/run_tasks.h"

namespace podium {
namespace {

__extension__ using Wide = __int128;

constexpr std::size_t kLeafPiece = 2048;

class LeafSums {
 public:
  LeafSums(const LeafDerivatives& derivatives, const DocumentPartition& partition,
           std::span<const LeafRange> leaves, Context& context)
      : derivatives_(derivatives),
        partition_(partition),
        pieces_(cut_leaves(leaves)),
        sums_(leaves.size()),
        context_(context) {}

  std::vector<double> values(double l2) {
    const FixedPoint first_point(derivatives_.extent.first);
    const FixedPoint second_point(derivatives_.extent.second);
    std::vector<LeafSum> parts(pieces_.size());
    run_tasks(context_.pool, pieces_.size(), 4 * partition_.all().size(), [&](std::size_t p) {
      parts[p] = sum_of(pieces_[p], first_point.factor(), second_point.factor());
    });
    for (std::size_t p = 0; p < parts.size(); ++p) {
      sums_[pieces_[p].leaf].first += parts[p].first;
      sums_[pieces_[p].leaf].second += parts[p].second;
    }
    add_ranks(sums_, context_.comm);
    std::vector<double> values;
    for (const LeafSum& sum : sums_)
      values.push_back(leaf_value(sum, first_point, second_point, l2));
    return values;
  }

 private:
  LeafSum sum_of(const LeafPiece& piece, double first_factor, double second_factor) const {
    const auto& [first, second, extent] = derivatives_;
    LeafSum sum;
    for (const std::uint32_t d : partition_.part(piece.begin, piece.end)) {
      sum.first += FixedPoint::round(first[d], first_factor);
      sum.second += FixedPoint::round(second.empty() ? 1.0 : second[d], second_factor);
    }
    return sum;
  }

  LeafDerivatives derivatives_;
  const DocumentPartition& partition_;
  std::vector<LeafPiece> pieces_;
  std::vector<LeafSum> sums_;
  Context& context_;
};

}  // namespace

FixedPoint::FixedPoint(double largest) {
  int exponent = 0;
  std::frexp(largest, &exponent);
  shift_ = std::clamp(62 - exponent, -1000, 1000);
  factor_ = std::ldexp(1.0, shift_);
}

double FixedPoint::value(const WideSum& sum) const {
  const Wide whole = static_cast<Wide>(sum.high) * (std::int64_t{1} << 32) + sum.low;
  return std::ldexp(static_cast<double>(whole), -shift_);
}

double leaf_value(const LeafSum& sum, const FixedPoint& first_point, const FixedPoint& second_point,
                  double l2) {
  const double curvature = second_point.value(sum.second) + l2;
  const double value = curvature > 0 ? -first_point.value(sum.first) / curvature : 0;
  return std::isfinite(value) ? value + 0.0 : 0;
}

void add_ranks(std::span<LeafSum> sums, Communicator& comm) {
  if (comm.size() == 1) return;
  std::vector<std::int64_t> halves;
  for (const LeafSum& sum : sums)
    halves.insert(halves.end(), {sum.first.low, sum.first.high, sum.second.low, sum.second.high});
  comm.all_reduce_sum(halves);
  for (std::size_t leaf = 0; leaf < sums.size(); ++leaf) {
    const std::int64_t* const at = halves.data() + 4 * leaf;
    sums[leaf] = {{at[0], at[1]}, {at[2], at[3]}};
  }
}

std::vector<LeafPiece> cut_leaves(std::span<const LeafRange> leaves) {
  std::vector<LeafPiece> pieces;
  for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf)
    for (std::size_t begin = leaves[leaf].begin; begin < leaves[leaf].end; begin += kLeafPiece)
      pieces.push_back({leaf, begin, std::min(leaves[leaf].end, begin + kLeafPiece)});
  return pieces;
}

std::vector<double> leaf_values(const LeafDerivatives& derivatives,
                                const DocumentPartition& partition,
                                std::span<const LeafRange> leaves, double l2, Context& context) {
  return LeafSums(derivatives, partition, leaves, context).values(l2);
}

}  // namespace podium

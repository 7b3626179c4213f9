#include "trees/leaf_values.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "trees/run_tasks.h"

namespace podium {
namespace {

__extension__ using Wide = __int128;

constexpr std::size_t kLeafPiece = 2048;

struct Largest {
  double first = 0, second = 0;
};

class LeafSums {
 public:
  LeafSums(std::span<const double> first, std::span<const double> second,
           const DocumentPartition& partition, std::span<const LeafRange> leaves, Context& context)
      : first_(first),
        second_(second),
        partition_(partition),
        pieces_(cut_leaves(leaves)),
        sums_(leaves.size()),
        context_(context) {}

  std::vector<double> values(double l2) {
    const Largest largest = find_largest();
    const FixedPoint first_point(largest.first), second_point(largest.second);
    std::vector<LeafSum> parts(pieces_.size());
    run([&](std::size_t p) {
      parts[p] = each_document(p, LeafSum{}, [&](LeafSum& sum, double g, double h) {
        sum.first += FixedPoint::round(g, first_point.factor());
        sum.second += FixedPoint::round(h, second_point.factor());
      });
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
  template <class Task>
  void run(Task&& task) {
    run_tasks(context_.pool, pieces_.size(), 4 * partition_.all().size(), task);
  }

  template <class Sum, class Add>
  Sum each_document(std::size_t p, Sum sum, Add&& add) const {
    for (const std::uint32_t d : partition_.part(pieces_[p].begin, pieces_[p].end))
      add(sum, first_[d], second_.empty() ? 1.0 : second_[d]);
    return sum;
  }

  Largest find_largest() {
    std::vector<Largest> parts(pieces_.size());
    run([&](std::size_t p) {
      parts[p] = each_document(p, Largest{}, [](Largest& largest, double g, double h) {
        largest.first = std::max(largest.first, std::abs(g));
        largest.second = std::max(largest.second, std::abs(h));
      });
    });
    Largest largest;
    const auto add = [&largest](const Largest& part) {
      largest.first = std::max(largest.first, part.first);
      largest.second = std::max(largest.second, part.second);
    };
    for (const Largest& part : parts) add(part);
    for (const auto& bytes : context_.comm.all_gather(std::as_bytes(std::span(&largest, 1)))) {
      Largest part;
      std::memcpy(&part, bytes.data(), sizeof(part));
      add(part);
    }
    return largest;
  }

  std::span<const double> first_, second_;
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

std::vector<double> leaf_values(std::span<const double> first, std::span<const double> second,
                                const DocumentPartition& partition,
                                std::span<const LeafRange> leaves, double l2, Context& context) {
  return LeafSums(first, second, partition, leaves, context).values(l2);
}

}  // namespace podium

#include "trees/leaf_values.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "trees/run_tasks.h"

namespace podium {
namespace {

__extension__ using Wide = __int128;

constexpr std::size_t kLeafPiece = 8192;

// Numbers as integer multiples of 2^−shift; those up to `largest` stay below 2⁶².
class FixedPoint {
 public:
  explicit FixedPoint(double largest) {
    int exponent = 0;
    std::frexp(largest, &exponent);
    shift_ = std::clamp(62 - exponent, -1000, 1000);
    factor_ = std::ldexp(1.0, shift_);
  }
  std::int64_t operator()(double x) const { return std::llrint(x * factor_); }
  double value(Wide sum) const { return std::ldexp(static_cast<double>(sum), -shift_); }

 private:
  int shift_;
  double factor_;
};

struct LeafSum {
  Wide first = 0, second = 0;
};

// A piece of a leaf.
struct Piece {
  std::size_t leaf, begin, end;
};

std::vector<Piece> cut(std::span<const LeafRange> leaves) {
  std::vector<Piece> pieces;
  for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf)
    for (std::size_t begin = leaves[leaf].begin; begin < leaves[leaf].end; begin += kLeafPiece)
      pieces.push_back({leaf, begin, std::min(leaves[leaf].end, begin + kLeafPiece)});
  return pieces;
}

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
        pieces_(cut(leaves)),
        sums_(leaves.size()),
        context_(context) {}

  std::vector<double> values(double l2) {
    const Largest largest = find_largest();
    const FixedPoint first_point(largest.first), second_point(largest.second);
    std::vector<LeafSum> parts(pieces_.size());
    run([&](std::size_t p) {
      parts[p] = each_document(p, LeafSum{}, [&](LeafSum& sum, double g, double h) {
        sum.first += first_point(g);
        sum.second += second_point(h);
      });
    });
    for (std::size_t p = 0; p < parts.size(); ++p) {
      sums_[pieces_[p].leaf].first += parts[p].first;
      sums_[pieces_[p].leaf].second += parts[p].second;
    }
    add_ranks();
    std::vector<double> values;
    for (const LeafSum& sum : sums_) {
      const double curvature = second_point.value(sum.second) + l2;
      const double value = curvature > 0 ? -first_point.value(sum.first) / curvature : 0;
      values.push_back(std::isfinite(value) ? value + 0.0 : 0);
    }
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

  // Sums are sent in two halves: 32 bits, and the rest with its sign.
  void add_ranks() {
    if (context_.comm.size() == 1) return;
    std::vector<std::int64_t> halves;
    for (const LeafSum& sum : sums_) {
      for (const Wide part : {sum.first, sum.second}) {
        halves.push_back(static_cast<std::int64_t>(part & 0xFFFFFFFF));
        halves.push_back(static_cast<std::int64_t>(part >> 32));
      }
    }
    context_.comm.all_reduce_sum(halves);
    const auto join = [&](std::size_t i) {
      return static_cast<Wide>(halves[i + 1]) * (std::int64_t{1} << 32) + halves[i];
    };
    for (std::size_t leaf = 0; leaf < sums_.size(); ++leaf)
      sums_[leaf] = {join(4 * leaf), join(4 * leaf + 2)};
  }

  std::span<const double> first_, second_;
  const DocumentPartition& partition_;
  std::vector<Piece> pieces_;
  std::vector<LeafSum> sums_;
  Context& context_;
};

}  // namespace

std::vector<double> leaf_values(std::span<const double> first, std::span<const double> second,
                                const DocumentPartition& partition,
                                std::span<const LeafRange> leaves, double l2, Context& context) {
  return LeafSums(first, second, partition, leaves, context).values(l2);
}

}  // namespace podium

#include "losses/pairwise/long_pairs.h"

#include <algorithm>
#include <cmath>

#include "core/math_functions.h"
#include "core/sort_scores.h"
#include "solvers/difference_sums.h"

namespace podium {
namespace {

constexpr double kPairBox = 2;          // its width: singularities are π away
constexpr double kMostPairBoxes = 1e9;  // apart
constexpr double kWidestProduct = 600;  // e^600 is far from overflow
constexpr double kWidestPieces = 1000;  // squares of differences cancel: here the error is 10⁻¹⁰

using Sums = LongList::Sums;
using Charges = LongList::Charges;
using Ends = std::span<const std::uint32_t>;

// How many of the grades, which begin at position `begin`, form the better half.
std::size_t better_half(Ends ends, std::size_t begin) {
  const auto middle = static_cast<std::uint32_t>(begin + (ends.back() - begin) / 2);
  auto cut = std::lower_bound(ends.begin(), ends.end() - 2, middle);
  if (cut != ends.begin() && middle - *(cut - 1) < *cut - middle) --cut;
  return static_cast<std::size_t>(cut - ends.begin()) + 1;
}

// Adds the costs of pairs to their documents.
class Adder {
 public:
  Adder(const Charges& charges, double factor, Sums& sums)
      : charges_(charges), factor_(factor), sums_(sums) {}

  double as_better(std::size_t i) const { return charges_.better[i]; }
  double as_worse(std::size_t j) const { return charges_.worse[j]; }
  const Charges& charges() const { return charges_; }
  StopCheck stop() const { return sums_.stop; }

  // Σ_j b_j times the costs of pairs (i, j).
  void better(std::size_t i, const PairCosts& costs) {
    const double charge = factor_ * as_better(i);
    sums_.value += charge * costs.value;
    sums_.force -= charge * costs.first;
    sums_.first[i] += charge * costs.first;
    sums_.second[i] += charge * costs.second;
  }
  // Σ_i a_i times the slopes and curvatures of pairs (i, j).
  void worse(std::size_t j, double first, double second) {
    const double charge = factor_ * as_worse(j);
    sums_.first[j] -= charge * first;
    sums_.second[j] += charge * second;
  }

 private:
  const Charges& charges_;
  double factor_;
  Sums& sums_;
};

// The positions of two halves sorted by x (ascending_places), and x.
struct SortedHalves {
  std::span<const double> x, centred;  // by position; centred, to lose less in sums of squares
  std::vector<std::uint32_t> better, worse;
};

std::vector<std::uint32_t> ascending_places(std::span<const double> x) {
  std::vector<ScoreKey> keys(x.size());
  for (std::size_t i = 0; i < keys.size(); ++i)
    keys[i] = {descending_key(-x[i]), static_cast<std::uint32_t>(i)};
  sort_keys(keys);
  std::vector<std::uint32_t> order;
  order.reserve(keys.size());
  for (const ScoreKey& key : keys) order.push_back(key.place);
  return order;
}

// sweep(halves) for every two halves.
template <class Sweep>
void halve_sorted(Ends ends, std::size_t begin, std::span<const double> x,
                  std::span<const double> centred, const std::vector<std::uint32_t>& sorted,
                  const Sweep& sweep) {
  if (ends.size() < 2) return;
  const std::size_t grades = better_half(ends, begin), middle = ends[grades - 1];
  SortedHalves halves{x, centred, {}, {}};
  for (const std::uint32_t place : sorted)
    (place < middle ? halves.better : halves.worse).push_back(place);
  sweep(halves);
  halve_sorted(ends.first(grades), begin, x, centred, halves.better, sweep);
  halve_sorted(ends.subspan(grades), middle, x, centred, halves.worse, sweep);
}

// Running sums of charges and of their moments.
struct Moments {
  double charge = 0, first = 0, second = 0;
  void add(double q, double x) {
    charge += q;
    first += q * x;
    second += q * x * x;
  }
};

// The pairs with x_i − x_j < end: for i, the worse documents after an index that moves up; for j,
// the better ones before another index.
void sweep_piece(const SortedHalves& halves, const PairPiece& piece, Adder& adder) {
  const auto inside = [&](std::uint32_t i, std::uint32_t j) {
    return halves.x[i] - halves.x[j] < piece.end;
  };
  Moments behind;
  std::size_t first = halves.worse.size();
  for (std::size_t at = halves.better.size(); at-- > 0;) {
    const std::uint32_t i = halves.better[at];
    for (; first > 0 && inside(i, halves.worse[first - 1]); --first)
      behind.add(adder.as_worse(halves.worse[first - 1]), halves.centred[halves.worse[first - 1]]);
    const double x = halves.centred[i];
    const double leads = x * behind.charge - behind.first;  // Σ b (x_i − x_j)
    const double squares = x * (leads - behind.first) + behind.second;
    adder.better(
        i, {piece.value[0] * behind.charge + piece.value[1] * leads + piece.value[2] * squares,
            piece.first[0] * behind.charge + piece.first[1] * leads, piece.second * behind.charge});
  }
  Moments before;
  std::size_t last = 0;
  for (const std::uint32_t j : halves.worse) {
    for (; last < halves.better.size() && inside(halves.better[last], j); ++last)
      before.add(adder.as_better(halves.better[last]), halves.centred[halves.better[last]]);
    const double leads = before.first - halves.centred[j] * before.charge;
    adder.worse(j, piece.first[0] * before.charge + piece.first[1] * leads,
                piece.second * before.charge);
  }
}

// The pairs with x_i − x_j ≥ −40 as products; the others are linear pieces.
void sweep_products(const SortedHalves& halves, std::span<const double> power,
                    std::span<const double> inverse, Adder& adder) {
  const auto straight = [&](std::uint32_t i, std::uint32_t j) {
    return halves.x[i] - halves.x[j] < -ExponentialCost::kStraightBelow;
  };
  double before = 0;
  std::size_t last = 0;
  for (const std::uint32_t i : halves.better) {
    for (; last < halves.worse.size() && !straight(i, halves.worse[last]); ++last)
      before += adder.as_worse(halves.worse[last]) * power[halves.worse[last]];
    const double sum = before * inverse[i];
    adder.better(i, {sum, -sum, sum});
  }
  double behind = 0;
  std::size_t first = halves.better.size();
  for (std::size_t at = halves.worse.size(); at-- > 0;) {
    const std::uint32_t j = halves.worse[at];
    for (; first > 0 && !straight(halves.better[first - 1], j); --first)
      behind += adder.as_better(halves.better[first - 1]) * inverse[halves.better[first - 1]];
    const double sum = behind * power[j];
    adder.worse(j, -sum, sum);
  }
}

// Smooth functions: one table each for value, slope and curvature serves all halves.
class SmoothSums {
 public:
  SmoothSums(const SmoothCost& pairs, std::span<const double> x, Adder& adder)
      : pairs_(pairs), x_(x), adder_(adder) {}

  void halve(Ends ends, std::size_t begin) {
    if (ends.size() < 2) return;
    adder_.stop()();
    const std::size_t grades = better_half(ends, begin), middle = ends[grades - 1];
    if (few_pairs(begin, middle, ends.back()))
      visit_pairs(begin, middle, ends.back());
    else
      sum_boxes(begin, middle, ends.back());
    halve(ends.first(grades), begin);
    halve(ends.subspan(grades), middle);
  }

 private:
  // Whether the pairs cost less than their boxes: a pair costs about as much as eight products.
  bool few_pairs(std::size_t begin, std::size_t middle, std::size_t end) const {
    const auto part = x_.subspan(begin, end - begin);
    const auto [low, high] = std::minmax_element(part.begin(), part.end());
    const auto documents = static_cast<double>(end - begin);
    const double boxes = std::min((*high - *low) / kPairBox + 1, documents);
    const double near = std::min(boxes, 2 * pairs_.reach / kPairBox);
    constexpr auto kNodes = static_cast<double>(DifferenceSums::kNodes);
    return 8 * static_cast<double>(middle - begin) * static_cast<double>(end - middle) <
           8 * kNodes * documents + 5 * kNodes * kNodes * boxes * near;
  }

  void visit_pairs(std::size_t begin, std::size_t middle, std::size_t end) {
    std::vector<PairCosts> worse(end - middle);
    for (std::size_t i = begin; i < middle; ++i) {
      adder_.stop()();
      PairCosts sum{};
      for (std::size_t j = middle; j < end; ++j) {
        const PairCosts costs = pairs_.at(x_[i] - x_[j]);
        const double own = adder_.as_worse(j), other = adder_.as_better(i);
        sum.value += own * costs.value;
        sum.first += own * costs.first;
        sum.second += own * costs.second;
        worse[j - middle].first += other * costs.first;
        worse[j - middle].second += other * costs.second;
      }
      adder_.better(i, sum);
    }
    for (std::size_t j = middle; j < end; ++j)
      adder_.worse(j, worse[j - middle].first, worse[j - middle].second);
  }

  void sum_boxes(std::size_t begin, std::size_t middle, std::size_t end) {
    using At = DifferenceSums::At;
    const DifferenceSums sums(x_.subspan(begin, end - begin), kPairBox, adder_.stop());
    if (value_.values.empty()) tabulate();
    const auto own = [&](std::span<const double> charges) {
      return charges.subspan(begin, end - begin);
    };
    const auto worse = sums.gather({middle - begin, end - begin}, own(adder_.charges().worse));
    const auto value = sums.sum(value_, worse, At::first);
    const auto first = sums.sum(first_, worse, At::first);
    const auto second = sums.sum(second_, worse, At::first);
    for (std::size_t i = begin; i < middle; ++i)
      adder_.better(i, {sums.read(value, i - begin), sums.read(first, i - begin),
                        sums.read(second, i - begin)});
    const auto better = sums.gather({0, middle - begin}, own(adder_.charges().better));
    const auto pushed = sums.sum(first_, better, At::second);
    const auto curved = sums.sum(second_, better, At::second);
    for (std::size_t j = middle; j < end; ++j)
      adder_.worse(j, sums.read(pushed, j - begin), sums.read(curved, j - begin));
  }

  // For the whole list, whose boxes are farthest apart.
  void tabulate() {
    const auto [low, high] = std::minmax_element(x_.begin(), x_.end());
    const std::array<double, 2> ends = {*low, *high};
    const DifferenceSums sums(ends, kPairBox);
    const double reach = pairs_.reach;
    value_ = sums.tabulate({reach, 0, pairs_.value_below, pairs_.slope_below},
                           [this](double x) { return pairs_.at(x).value; });
    first_ = sums.tabulate({reach, 0, pairs_.slope_below, 0},
                           [this](double x) { return pairs_.at(x).first; });
    second_ = sums.tabulate({reach, 0, 0, 0}, [this](double x) { return pairs_.at(x).second; });
  }

  const SmoothCost& pairs_;
  std::span<const double> x_;
  Adder& adder_;
  DifferenceSums::Table value_, first_, second_;
};

// Relative to the middle of the range.
std::vector<double> centred(std::span<const double> x) {
  const auto [low, high] = std::minmax_element(x.begin(), x.end());
  const double centre = *low + 0.5 * (*high - *low);
  std::vector<double> all;
  all.reserve(x.size());
  for (const double at : x) all.push_back(at - centre);
  return all;
}

PairCosts logistic_at(double x) {
  const double small = math::exp(-std::abs(x)), share = 1 / (1 + small);
  const double miss = x < 0 ? share : small * share;  // 1/(1 + e^x)
  return {math::log1p(small) - std::min(x, 0.0), -miss, small * share * share};
}

// As in the kernel.
PairCosts fidelity_at(double x) {
  const PairCosts logistic = logistic_at(x);
  const double miss = -logistic.first, root = math::exp(-0.5 * logistic.value);
  const double slope = root * miss;
  return {miss / (1 + root), -0.5 * slope, 0.25 * slope * (2 - miss)};
}

}  // namespace

SmoothCost logistic_cost() {
  return {logistic_at, 45, 0, -1};
}
SmoothCost fidelity_cost() {
  return {fidelity_at, 90, 1, 0};
}

LongList::LongList(std::span<const double> scores, std::span<const double> grades,
                   std::span<const std::uint32_t> grade_ends)
    : scores_(scores), grades_(grades), ends_(grade_ends) {
  double low = scores.front(), high = low;
  for (const double score : scores) {
    low = score < low ? score : low;
    high = score > high ? score : high;
    spread_ += 0 * score;  // NaN if a score is not finite
  }
  spread_ += high - low;
}

bool LongList::can_sum(const PairCost& cost) const {
  if (std::holds_alternative<ExponentialCost>(cost)) return spread_ <= kWidestProduct;
  if (std::holds_alternative<SmoothCost>(cost)) return spread_ <= kPairBox * kMostPairBoxes;
  return spread_ <= kWidestPieces;
}

void LongList::add(const PairCost& cost, const Charges& charges, double factor, Sums& sums) const {
  Adder adder(charges, factor, sums);
  if (const auto* smooth = std::get_if<SmoothCost>(&cost)) {
    SmoothSums(*smooth, scores_, adder).halve(ends_, 0);
    return;
  }
  std::vector<double> x(scores_.begin(), scores_.end());
  const auto* piecewise = std::get_if<PiecewiseCost>(&cost);
  if (piecewise)
    for (std::size_t place = 0; place < x.size(); ++place)
      x[place] -= piecewise->grade_margin * grades_[place];
  const std::vector<double> around = centred(x);
  const auto halve = [&](const auto& sweep) {
    halve_sorted(ends_, 0, x, around, ascending_places(x), [&](const SortedHalves& halves) {
      sums.stop();
      sweep(halves);
    });
  };
  if (piecewise) {
    halve([&](const SortedHalves& halves) {
      for (const PairPiece& piece : piecewise->pieces) sweep_piece(halves, piece, adder);
    });
    return;
  }
  constexpr double kStraight = ExponentialCost::kStraightBelow;
  const double steep = math::exp(kStraight);
  const PairPiece tangent{-kStraight, {steep * (1 - kStraight), -steep, 0}, {-steep, 0}, steep};
  std::vector<double> power, inverse;
  for (const double at : around) {
    power.push_back(math::exp(at));
    inverse.push_back(math::exp(-at));
  }
  halve([&](const SortedHalves& halves) {
    sweep_products(halves, power, inverse, adder);
    sweep_piece(halves, tangent, adder);
  });
}

}  // namespace podium

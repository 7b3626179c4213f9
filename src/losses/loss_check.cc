#include "podium/loss_check.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>

#include "core/math_functions.h"
#include "core/random.h"

namespace podium {
namespace {

// Relative. If g is piecewise constant, a piece shorter than an edge's segments can be missed, so
// suspicious loops are integrated again in short segments.
constexpr double kCirculationTolerance = 5e-4, kSuspicious = 1e-6;
constexpr int kSegments = 16, kShortSegments = 4096;
constexpr double kConvexityTolerance = 1e-9;  // relative
constexpr double kRounding = 1e-10;           // smaller relative differences are ignored
constexpr int kLoopsAList = 6, kPairsAList = 12;
constexpr int kDepth = 40;  // of bisection: jumps of g are located to 2⁻⁴⁰ of a segment
constexpr double kDifferenceStep = 1e-5;

// One random list with the loss bound to it.
struct List {
  std::vector<float> labels;
  Dataset data;
  std::unique_ptr<const BoundLoss> bound;
  std::size_t scores = 0;  // documents × outputs
  double usual = 0;        // |g| over all lists: far smaller values are rounding

  std::vector<double> gradient(std::span<const double> at) const {
    std::vector<double> first(at.size()), second(at.size());
    bound->evaluate(0, at, {first, second});
    return first;
  }
  // Called when the data have their final address.
  void bind(const Loss& loss) {
    bound = loss.bind(data);
    scores = labels.size() * bound->link().outputs();
  }
  double value(std::span<const double> at) const {
    std::vector<double> first(at.size()), second(at.size());
    return bound->evaluate(0, at, {first, second});
  }
};

List random_list(const LossCheckOptions& options, Random& random) {
  List list;
  const auto longest = static_cast<std::uint64_t>(std::max<std::int64_t>(options.documents, 2));
  const std::size_t n = 2 + random.below(longest - 1);
  for (std::size_t i = 0; i < n; ++i)
    list.labels.push_back(
        static_cast<float>(random.below(static_cast<std::uint64_t>(options.grades))));
  DatasetParts parts;
  parts.query_begin = std::vector<std::uint64_t>{0, n};
  parts.labels = list.labels;
  parts.qids = make_strings(std::vector<std::string>{"list"});
  list.data = Dataset(std::move(parts));
  return list;
}

// The largest |g| of all lists at evenly spaced scores, in both orders.
double usual_size(const Loss& loss, const LossCheckOptions& options) {
  double size = 0;
  for (std::int64_t l = 0; l < options.lists; ++l) {
    Random random(options.seed, static_cast<std::uint64_t>(l));
    List list = random_list(options, random);
    list.bind(loss);
    for (const double step : {0.3, -0.3}) {
      std::vector<double> scores(list.scores);
      for (std::size_t i = 0; i < scores.size(); ++i) scores[i] = step * static_cast<double>(i);
      for (const double g : list.gradient(scores)) size = std::max(size, std::abs(g));
    }
  }
  return size;
}

std::vector<double> random_scores(std::size_t n, double width, Random& random) {
  std::vector<double> scores(n);
  for (double& s : scores) s = width * (2 * random.uniform() - 1);
  return scores;
}

// ∫ f over [a, b] by adaptive Simpson. A jump is bisected down to the depth limit.
double integrate(const std::function<double(double)>& f, double a, double fa, double b, double fb,
                 double tolerance, int depth) {
  const double middle = 0.5 * (a + b), fm = f(middle);
  const double left = f(0.5 * (a + middle)), right = f(0.5 * (middle + b));
  const double coarse = (b - a) / 6 * (fa + 4 * fm + fb);
  const double fine = (b - a) / 12 * (fa + 4 * left + 2 * fm + 4 * right + fb);
  if (depth == 0 || std::abs(fine - coarse) <= tolerance * (b - a))
    return fine + (fine - coarse) / 15;
  return integrate(f, a, fa, middle, fm, tolerance, depth - 1) +
         integrate(f, middle, fm, b, fb, tolerance, depth - 1);
}

std::vector<std::size_t> ranking(std::span<const double> scores) {
  std::vector<std::size_t> order(scores.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  return order;
}

// ∮ g·ds along the rectangle that begins at loop.corner, counterclockwise. Returns its first side.
LossCheck::Side go_round(const List& list, LossCheck::Loop& loop, int segments) {
  auto at = loop.corner;
  double largest = 0;
  const auto start_order = ranking(at);
  const auto edge = [&](std::size_t moving, double from, double to) {
    const auto f = [&](double x) {
      at[moving] = x;
      const double g = list.gradient(at)[moving];
      largest = std::max(largest, std::abs(g));
      return g;
    };
    const double low = std::min(from, to), high = std::max(from, to);
    double sum = 0, begin = low, at_begin = f(low);
    for (int k = 1; k <= segments; ++k) {
      const double end = low + (high - low) * k / segments, at_end = f(end);
      sum += integrate(f, begin, at_begin, end, at_end, 1e-9, kDepth);
      begin = end;
      at_begin = at_end;
    }
    at[moving] = to;
    if (ranking(at) != start_order) loop.order = LossCheck::Loop::Order::swapped;
    return from < to ? sum : -sum;
  };
  const std::size_t i = loop.first, j = loop.second;
  const double x = loop.corner[i], y = loop.corner[j];
  LossCheck::Side first{loop.labels, loop.corner, i, loop.side};
  const double begin = list.value(at);
  first.integral = loop.circulation = edge(i, x, x + loop.side);
  const double end = list.value(at);
  first.difference = end - begin;
  loop.circulation += edge(j, y, y + loop.side);
  loop.circulation += edge(i, x + loop.side, x);
  loop.circulation += edge(j, y + loop.side, y);
  const bool forces = largest > kRounding * list.usual;
  loop.relative = forces ? std::abs(loop.circulation) / (4 * loop.side * largest) : 0;
  const double size = std::max(std::abs(first.difference), loop.side * largest);
  const double apart = std::abs(first.difference - first.integral);
  const bool differs = apart > kRounding * (std::abs(begin) + std::abs(end) + list.usual);
  first.relative = differs ? apart / size : 0;
  return first;
}

// Whether a result from long segments needs a closer look: once a question is answered, only if it
// is far worse.
bool is_news(double relative, double worst) {
  return relative > std::max(kSuspicious, worst > kCirculationTolerance ? 2 * worst : worst);
}

void try_loops(const List& list, Random& random, LossCheck& check) {
  for (int repeat = 0; repeat < kLoopsAList; ++repeat) {
    LossCheck::Loop loop{list.labels, random_scores(list.scores, 1.5, random)};
    loop.first = random.below(list.scores);
    loop.second = (loop.first + 1 + random.below(list.scores - 1)) % list.scores;
    loop.side = math::pow(10.0, -2 * random.uniform());
    // Half of the loops cross a swap with some document, possibly the second.
    if (repeat % 2 == 0) {
      const std::size_t other = (loop.first + 1 + random.below(list.scores - 1)) % list.scores;
      loop.corner[loop.first] = loop.corner[other] - loop.side * random.uniform();
    }
    LossCheck::Side side = go_round(list, loop, kSegments);
    const bool closer = is_news(loop.relative, check.worst_loop.relative) ||
                        is_news(side.relative, check.worst_side.relative);
    if (closer) side = go_round(list, loop, kShortSegments);
    ++check.loops;
    check.swapping_loops += loop.order == LossCheck::Loop::Order::swapped;
    const auto counts = [&](double relative, double worst) {
      return relative >= worst && (closer || relative <= kSuspicious);
    };
    if (counts(loop.relative, check.worst_loop.relative)) check.worst_loop = loop;
    if (counts(side.relative, check.worst_side.relative)) check.worst_side = std::move(side);
  }
}

void try_pair(const List& list, LossCheck::Pair pair, LossCheck& check) {
  const auto g = list.gradient(pair.s), h = list.gradient(pair.t);
  double difference = 0, distance = 0, size = 0;
  for (std::size_t i = 0; i < g.size(); ++i) {
    const double x = pair.s[i] - pair.t[i];
    pair.product += (g[i] - h[i]) * x;
    difference += (g[i] - h[i]) * (g[i] - h[i]);
    distance += x * x;
    size += g[i] * g[i] + h[i] * h[i];
  }
  const double lengths = std::sqrt(difference * distance);
  const bool rounding = difference <= kRounding * kRounding * size;
  pair.cosine = lengths > 0 && !rounding ? pair.product / lengths : 0;
  ++check.pairs;
  if (pair.cosine <= check.worst_pair.cosine) check.worst_pair = std::move(pair);
}

void try_pairs(const List& list, Random& random, LossCheck& check) {
  for (int repeat = 0; repeat < kPairsAList; ++repeat) {
    LossCheck::Pair pair{list.labels, random_scores(list.scores, 3, random), {}};
    const auto away = random_scores(list.scores, math::pow(10.0, 1 - 3 * random.uniform()), random);
    pair.t = pair.s;
    for (std::size_t i = 0; i < away.size(); ++i) pair.t[i] += away[i];
    try_pair(list, std::move(pair), check);
  }
}

// One score just above another and just below it.
void try_pairs_across_swaps(const List& list, Random& random, LossCheck& check) {
  for (int repeat = 0; repeat < kPairsAList; ++repeat) {
    LossCheck::Pair pair{list.labels, random_scores(list.scores, 3, random), {}};
    const std::size_t i = random.below(list.scores);
    const std::size_t j = (i + 1 + random.below(list.scores - 1)) % list.scores;
    pair.t = pair.s;
    pair.s[i] = pair.s[j] + kDifferenceStep;
    pair.t[i] = pair.t[j] - kDifferenceStep;
    try_pair(list, std::move(pair), check);
  }
}

// Central differences of g, away from swaps.
void try_jacobian(const List& list, Random& random, LossCheck& check) {
  const auto scores = random_scores(list.scores, 1.5, random);
  auto sorted = scores;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 1; i < sorted.size(); ++i)
    if (sorted[i] - sorted[i - 1] < 100 * kDifferenceStep) return;
  const auto n = static_cast<Eigen::Index>(scores.size());
  Eigen::MatrixXd jacobian(n, n);
  for (Eigen::Index j = 0; j < n; ++j) {
    auto up = scores, down = scores;
    up[static_cast<std::size_t>(j)] += kDifferenceStep;
    down[static_cast<std::size_t>(j)] -= kDifferenceStep;
    const auto g = list.gradient(up), h = list.gradient(down);
    for (Eigen::Index i = 0; i < n; ++i)
      jacobian(i, j) =
          (g[static_cast<std::size_t>(i)] - h[static_cast<std::size_t>(i)]) / (2 * kDifferenceStep);
  }
  const double size = jacobian.cwiseAbs().maxCoeff();
  ++check.jacobian.points;
  if (!(size > 1e-6)) return;
  const double asymmetry = (jacobian - jacobian.transpose()).cwiseAbs().maxCoeff() / size;
  const Eigen::VectorXd eigenvalues =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(0.5 * (jacobian + jacobian.transpose()))
          .eigenvalues();
  check.jacobian.asymmetry = std::max(check.jacobian.asymmetry, asymmetry);
  check.jacobian.smallest_eigenvalue =
      std::min(check.jacobian.smallest_eigenvalue,
               eigenvalues.minCoeff() / eigenvalues.cwiseAbs().maxCoeff());
}

}  // namespace

LossCheck check_loss(const Loss& loss, const LossCheckOptions& options) {
  LossCheck check;
  const double usual = usual_size(loss, options);
  for (std::int64_t l = 0; l < options.lists; ++l) {
    Random random(options.seed, static_cast<std::uint64_t>(l));
    List list = random_list(options, random);
    list.bind(loss);
    list.usual = usual;
    if (!list.bound->informative(0) || list.scores < 2) continue;
    try_loops(list, random, check);
    try_pairs(list, random, check);
    try_jacobian(list, random, check);
    try_pairs_across_swaps(list, random, check);
  }
  check.cost_exists = check.worst_loop.relative <= kCirculationTolerance;
  check.convex = check.worst_pair.cosine >= -kConvexityTolerance;
  check.value_fits = check.worst_side.relative <= kCirculationTolerance;
  return check;
}

}  // namespace podium

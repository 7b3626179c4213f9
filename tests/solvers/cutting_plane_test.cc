#include "solvers/cutting_plane.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "core/archive.h"
#include "core/random.h"
#include "solvers/quadratic_program.h"

namespace podium::cutting_plane_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Projected gradient with many steps: slow, independent, and correct.
VectorXd projected_gradient(const MatrixXd& g, const VectorXd& b, double total) {
  VectorXd alpha = VectorXd::Constant(b.size(), total / static_cast<double>(b.size()));
  const double step = 1 / (g.trace() + 1e-9);
  for (int i = 0; i < 200000; ++i) {
    VectorXd next = alpha + step * (b - g * alpha);
    // Onto the simplex: sorted thresholding.
    std::vector<double> sorted(next.begin(), next.end());
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    double sum = 0, shift = 0;
    for (std::size_t k = 0; k < sorted.size(); ++k) {
      sum += sorted[k];
      const double t = (sum - total) / static_cast<double>(k + 1);
      if (sorted[k] > t) shift = t;
    }
    alpha = (next.array() - shift).cwiseMax(0.0);
  }
  return alpha;
}

TEST(QuadraticProgram, AgreesWithProjectedGradient) {
  Random random(1);
  for (int repeat = 0; repeat < 12; ++repeat) {
    const Eigen::Index n = 2 + repeat, d = 1 + repeat / 2;  // more planes than dimensions: singular
    MatrixXd a(n, d);
    VectorXd b(n);
    for (double& x : a.reshaped()) x = random.uniform() - 0.5;
    for (double& x : b) x = random.uniform();
    if (repeat % 3 == 0) a.row(n - 1) = a.row(0);  // a repeated plane
    const MatrixXd g = a * a.transpose();
    const double total = repeat % 2 ? 1.0 : 50.0;
    const auto solution = maximize_on_simplex(g, b, total, VectorXd::Zero(n));
    EXPECT_NEAR(solution.alpha.sum(), total, 1e-9 * total);
    EXPECT_GE(solution.alpha.minCoeff(), 0);
    const VectorXd reference = projected_gradient(g, b, total);
    const double best = b.dot(reference) - 0.5 * reference.dot(g * reference);
    EXPECT_NEAR(solution.value, best, 1e-6 * (1 + std::abs(best)));
    EXPECT_GE(solution.value, best - 1e-7 * (1 + std::abs(best)));
  }
}

// R(w) = mean over rows of max over a few affine functions of z = x·w: piecewise linear, known
// exactly.
class ToyRisk final : public LinearRisk {
 public:
  ToyRisk(std::size_t rows, std::size_t d, std::size_t pieces, std::uint64_t seed)
      : d_(d), x_(rows * d), slope_(rows * pieces), offset_(rows * pieces), pieces_(pieces) {
    Random random(seed);
    for (double& x : x_) x = random.uniform() - 0.5;
    for (double& a : slope_) a = 4 * (random.uniform() - 0.5);
    for (double& b : offset_) b = random.uniform();
  }
  std::size_t rows() const { return x_.size() / d_; }
  std::size_t dimension() const override { return d_; }
  std::vector<double> image(std::span<const double> w) override {
    std::vector<double> z(rows());
    for (std::size_t i = 0; i < z.size(); ++i)
      for (std::size_t f = 0; f < d_; ++f) z[i] += x_[i * d_ + f] * w[f];
    return z;
  }
  double evaluate(std::span<const double> z, std::span<double> slope) override {
    double total = 0;
    for (std::size_t i = 0; i < z.size(); ++i) {
      double best = 0;
      slope[i] = 0;
      for (std::size_t p = 0; p < pieces_; ++p) {
        const double value = slope_[i * pieces_ + p] * z[i] + offset_[i * pieces_ + p];
        if (value > best) {
          best = value;
          slope[i] = slope_[i * pieces_ + p];
        }
      }
      total += best;
    }
    const auto n = static_cast<double>(rows());
    for (double& s : slope) s /= n;
    return total / n;
  }
  std::vector<double> pull_back(std::span<const double> slope) override {
    std::vector<double> out(d_);
    for (std::size_t i = 0; i < slope.size(); ++i)
      for (std::size_t f = 0; f < d_; ++f) out[f] += slope[i] * x_[i * d_ + f];
    return out;
  }
  double inner(std::span<const double> slope, std::span<const double> z) override {
    return std::inner_product(slope.begin(), slope.end(), z.begin(), 0.0);
  }

  // All planes of the sum, one for each choice of a piece (or 0) in every row: for tiny problems.
  void for_each_plane(const std::function<void(const std::vector<double>&, double)>& visit) const {
    std::vector<std::size_t> choice(rows());
    for (;;) {
      std::vector<double> a(d_);
      double b = 0;
      for (std::size_t i = 0; i < rows(); ++i) {
        if (choice[i] == 0) continue;
        const std::size_t at = i * pieces_ + choice[i] - 1;
        for (std::size_t f = 0; f < d_; ++f)
          a[f] += slope_[at] * x_[i * d_ + f] / static_cast<double>(rows());
        b += offset_[at] / static_cast<double>(rows());
      }
      visit(a, b);
      std::size_t i = 0;
      while (i < rows() && ++choice[i] > pieces_) choice[i++] = 0;
      if (i == rows()) return;
    }
  }

 private:
  std::size_t d_;
  std::vector<double> x_, slope_, offset_;
  std::size_t pieces_;
};

std::optional<CuttingPlaneStop> go_on() {
  return {};
}

TEST(CuttingPlane, AgreesWithTheProgrammeOfAllConstraints) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    ToyRisk risk(5, 3, 2, seed);
    std::vector<std::vector<double>> planes;
    std::vector<double> offsets;
    risk.for_each_plane([&](const std::vector<double>& a, double b) {
      planes.push_back(a);
      offsets.push_back(b);
    });
    const auto n = static_cast<Eigen::Index>(planes.size());
    MatrixXd a(n, 3);
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index f = 0; f < 3; ++f)
        a(i, f) = planes[static_cast<std::size_t>(i)][static_cast<std::size_t>(f)];
    const VectorXd b = Eigen::Map<const VectorXd>(offsets.data(), n);
    for (const double c : {0.1, 1.0, 30.0}) {
      const auto all = maximize_on_simplex(a * a.transpose(), b, c, VectorXd::Zero(n));
      CuttingPlaneSolver solver(risk, {1e-7, 10000});
      const auto report = solver.minimize(c, {});
      EXPECT_NEAR(report.primal, all.value, 1e-5 * all.value);
      EXPECT_LE(report.dual, report.primal);
    }
  }
}

TEST(CuttingPlane, ReachesATinyGapWithAValidBound) {
  ToyRisk risk(300, 10, 4, 9);
  CuttingPlaneSolver solver(risk, {1e-6, 10000});
  double last_dual = 0;
  const auto report = solver.minimize(10, [&](const CuttingPlaneReport& at) {
    EXPECT_LE(at.dual, at.primal * (1 + 1e-12));
    EXPECT_GE(at.dual, last_dual);
    last_dual = at.dual;
    return go_on();
  });
  EXPECT_LE(report.gap, 1e-6);
  EXPECT_EQ(report.termination, CuttingPlaneStop::converged);
  // The primal is the objective at the solution.
  std::vector<double> slope(300);
  const auto& w = solver.solution();
  const double norm2 = std::inner_product(w.begin(), w.end(), w.begin(), 0.0);
  EXPECT_NEAR(0.5 * norm2 + 10 * risk.evaluate(risk.image(w), slope), report.primal, 1e-9);
}

TEST(CuttingPlane, APathGivesTheSameAsEachCAlone) {
  ToyRisk risk(200, 6, 3, 10);
  CuttingPlaneSolver path(risk, {1e-6, 10000});
  std::int64_t warm = 0, cold = 0;
  for (const double c : {0.1, 1.0, 10.0, 100.0}) {
    const auto on_path = path.minimize(c, {});
    CuttingPlaneSolver alone(risk, {1e-6, 10000});
    const auto report = alone.minimize(c, {});
    EXPECT_NEAR(on_path.primal, report.primal, 3e-6 * report.primal);
    warm += on_path.passes;
    cold += report.passes;
  }
  EXPECT_LT(warm, cold);
}

TEST(CuttingPlane, StopsOnRequest) {
  ToyRisk risk(300, 10, 4, 11);
  CuttingPlaneSolver limited(risk, {1e-9, 3});
  EXPECT_EQ(limited.minimize(1000, {}).termination, CuttingPlaneStop::pass_limit);
  CuttingPlaneSolver stopped(risk, {1e-9, 1000});
  const auto report = stopped.minimize(
      1000, [](const CuttingPlaneReport&) { return std::optional(CuttingPlaneStop::stopped); });
  EXPECT_EQ(report.termination, CuttingPlaneStop::stopped);
  EXPECT_EQ(report.passes, 1);
}

// Every state is serialised and restored in a new solver.
TEST(CuttingPlane, ResumesFromItsStateWithTheSameBits) {
  ToyRisk risk(300, 10, 4, 12);
  const CuttingPlaneOptions options{1e-6, 10000};
  CuttingPlaneSolver whole(risk, options);
  std::optional<CuttingPlaneSolver> part(std::in_place, risk, options);
  int renewals = 0;
  for (const double c : {1.0, 30.0}) {
    const auto expected = whole.minimize(c, {});
    part->begin(c);
    while (part->advance({}) != CuttingPlaneSolver::Progress::done) {
      ArchiveWriter writer;
      writer(part->state());
      const auto bytes = writer.take();
      ArchiveReader reader(bytes);
      CuttingPlaneState state;
      reader(state);
      part.emplace(risk, options, std::move(state));
      ++renewals;
    }
    EXPECT_EQ(part->solution(), whole.solution());
    EXPECT_EQ(part->report().passes, expected.passes);
    EXPECT_EQ(part->report().primal, expected.primal);
    EXPECT_EQ(part->report().dual, expected.dual);
  }
  EXPECT_GE(renewals, 2);
}

// R = |w| has its minimum at 0, whatever C.
class Absolute final : public LinearRisk {
 public:
  std::size_t dimension() const override { return 1; }
  std::vector<double> image(std::span<const double> w) override { return {w[0]}; }
  double evaluate(std::span<const double> z, std::span<double> slope) override {
    slope[0] = z[0] > 0 ? 1 : z[0] < 0 ? -1 : -0.25;  // any subgradient will do at 0
    return 1 + std::abs(z[0]);
  }
  std::vector<double> pull_back(std::span<const double> slope) override { return {slope[0]}; }
  double inner(std::span<const double> slope, std::span<const double> z) override {
    return slope[0] * z[0];
  }
};

TEST(CuttingPlane, StepsAwayFromZeroWithinTheGap) {
  Absolute risk;
  CuttingPlaneSolver solver(risk, {1e-3, 1000});
  const auto report = solver.minimize(2, {});
  EXPECT_EQ(report.point, CuttingPlaneReport::Point::off_zero);
  EXPECT_GT(solver.solution()[0], 0);  // against the subgradient −0.25
  EXPECT_LE(report.gap, 1e-3);
  EXPECT_GE(report.primal, 2);
}

}  // namespace
}  // namespace podium::cutting_plane_test

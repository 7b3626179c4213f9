// Sums of functions of differences against plain loops over all pairs.
#include "solvers/difference_sums.h"

#include <cmath>

#include <gtest/gtest.h>

#include "core/random.h"

namespace podium::difference_sums_test {
namespace {

using At = DifferenceSums::At;

struct Function {
  const char* name;
  DifferenceSums::Far far;
  double (*f)(double);
};

const Function kFunctions[] = {
    {"softplus",
     {45, 0, 0, -1},
     [](double x) { return x > 0 ? std::log1p(std::exp(-x)) : std::log1p(std::exp(x)) - x; }},
    {"logistic", {45, 1, 0, 0}, [](double x) { return 1 / (1 + std::exp(-x)); }},
    {"bell", {9, 0, 0, 0}, [](double x) { return std::exp(-0.5 * x * x); }},
};

void expect_sums(const Function& function, const std::vector<double>& points, double width) {
  Random random(7);
  std::vector<double> charges;
  for (std::size_t i = 0; i < points.size(); ++i) charges.push_back(random.uniform());
  const DifferenceSums sums(points, width);
  const auto table = sums.tabulate(function.far, function.f);
  const DifferenceSums::Range part{points.size() / 4, points.size()};
  const auto nodes = sums.gather(part, charges);
  for (const At at : {At::first, At::second}) {
    const auto found = sums.sum(table, nodes, at);
    for (std::size_t i = 0; i < points.size(); ++i) {
      double wanted = 0, size = 0;
      for (std::size_t j = part.begin; j < part.end; ++j) {
        const double x = points[i] - points[j];
        wanted += charges[j] * function.f(at == At::first ? x : -x);
        size += charges[j] * std::abs(x);
      }
      ASSERT_NEAR(sums.read(found, i), wanted,
                  1e-13 * (wanted + size) + 1e-17 * static_cast<double>(points.size()))
          << function.name << " spread over " << points.back();
    }
  }
}

TEST(DifferenceSums, EqualLoopsOverPairs) {
  Random random(1);
  for (const Function& function : kFunctions)
    for (const double spread : {0.0, 0.5, 3.0, 40.0, 2000.0, 1e7}) {
      std::vector<double> points(300);
      for (double& x : points) x = spread * (random.uniform() - 0.5);
      expect_sums(function, points, function.far.reach < 10 ? 1 : 2);
    }
}

// Sums of tiny terms are as accurate as others.
TEST(DifferenceSums, AreRelativelyAccurate) {
  const std::vector<double> points = {0, 0.3, 1.1, 30, 30.4, 31.9};
  const std::vector<double> charges = {1, 1, 1, 0, 0, 0};
  const DifferenceSums sums(points, 2);
  const auto found = sums.sum(sums.tabulate(kFunctions[0].far, kFunctions[0].f),
                              sums.gather({0, 6}, charges), At::first);
  for (std::size_t i = 3; i < 6; ++i) {
    double wanted = 0;
    for (std::size_t j = 0; j < 3; ++j) wanted += kFunctions[0].f(points[i] - points[j]);
    EXPECT_NEAR(sums.read(found, i) / wanted, 1, 1e-12);
  }
}

TEST(DifferenceSums, OfNoPointsAndOfOne) {
  EXPECT_EQ(DifferenceSums({}, 1).boxes(), 0U);
  const std::vector<double> one = {-3.5}, charge = {2};
  const DifferenceSums sums(one, 1);
  const auto found = sums.sum(sums.tabulate(kFunctions[1].far, kFunctions[1].f),
                              sums.gather({0, 1}, charge), At::second);
  EXPECT_NEAR(sums.read(found, 0), 1, 1e-15);
}

}  // namespace
}  // namespace podium::difference_sums_test

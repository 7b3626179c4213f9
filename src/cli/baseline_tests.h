// `podium eval --baseline NAME`: compares every other system with one, measure by measure.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "podium/evaluator.h"
#include "podium/significance.h"

namespace podium::cli {

struct Named {
  std::string name;
  Evaluation evaluation;
};

struct BaselineTest {
  std::string measure, name;  // of the system that is compared with the baseline
  Effect effect;
  TestResult test;                 // randomisation
  std::optional<double> adjusted;  // for all compared systems: max-T
};

// Throws a usage Error if there is no such system, if it is the only one, if two have the same
// name, or if the systems' queries differ. Measures with a geometric mean are compared by the
// logarithms of their values.
std::vector<BaselineTest> test_against(std::string_view baseline, std::span<const Named> results,
                                       std::span<const MeasurePtr> measures, Context& context);

// One line per test, "# nDCG@10 b against a: +0.0123, 95 % [0.001, 0.023], …".
std::string baseline_text(std::span<const BaselineTest> tests, std::string_view baseline);
Json baseline_json(std::span<const BaselineTest> tests, std::string_view baseline);

}  // namespace podium::cli

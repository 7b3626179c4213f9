// `podium eval --baseline NAME`: every other system against one, measure by measure.
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
  std::optional<double> adjusted;  // for all systems that are compared: max-T
};

// Usage Error when there is no such system, when it is alone, when two have the same name, or when
// the systems' queries differ. Measures whose figure is a geometric mean are compared by the
// logarithms of their values.
std::vector<BaselineTest> test_against(std::string_view baseline, std::span<const Named> results,
                                       std::span<const MeasurePtr> measures, Context& context);

// A line per test, "# nDCG@10 b against a: +0.0123, 95 % [0.001, 0.023], …".
std::string baseline_text(std::span<const BaselineTest> tests, std::string_view baseline);
Json baseline_json(std::span<const BaselineTest> tests, std::string_view baseline);

}  // namespace podium::cli

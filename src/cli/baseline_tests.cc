#include "cli/baseline_tests.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "measures/aggregate.h"
#include "podium/error.h"

namespace podium::cli {
namespace {

std::size_t find(std::string_view baseline, std::span<const Named> results) {
  std::vector<std::string> names;
  for (const Named& result : results) {
    if (result.name == baseline) return names.size();
    names.push_back(result.name);
  }
  throw Error(ErrorCode::usage, fmt::format("--baseline: there is no system '{}'{}", baseline,
                                            suggestion(baseline, names)));
}

void check(std::span<const Named> results) {
  if (results.size() < 2)
    throw Error(ErrorCode::usage, "--baseline compares systems: give at least two");
  std::set<std::string_view> names;
  for (const Named& result : results)
    if (!names.insert(result.name).second)
      throw Error(ErrorCode::usage,
                  fmt::format("--baseline: two systems are called '{}', after their files' names: "
                              "rename one of the files",
                              result.name));
  for (const Named& result : results)
    if (result.evaluation.qids != results[0].evaluation.qids)
      throw Error(ErrorCode::usage,
                  fmt::format("--baseline: {} and {} have different queries; --complete "
                              "counts the judged ones that a run leaves out as 0",
                              results[0].name, result.name));
}

std::string number(std::optional<double> p) {
  return p ? fmt::format("{:.4g}", *p) : "-";
}

Json or_null(std::optional<double> value) {
  return value ? Json(*value) : Json();
}

}  // namespace

std::vector<BaselineTest> test_against(std::string_view baseline, std::span<const Named> results,
                                       std::span<const MeasurePtr> measures, Context& context) {
  const std::size_t base = find(baseline, results);
  check(results);
  std::vector<BaselineTest> tests;
  for (std::size_t m = 0; m < results[0].evaluation.measures.size(); ++m) {
    std::vector<std::vector<double>> values;
    for (const Named& result : results) {
      auto& of_system = values.emplace_back();
      for (const double value : result.evaluation.per_query[m])
        of_system.push_back(averaged_value(value, measures[m]->aggregation()));
    }
    for (const FamilyMember& member : max_t_against(values, base, kPermutations, context).members) {
      const PairedDifferences differences =
          paired_differences(values[member.first], values[member.second]);
      tests.push_back({results[0].evaluation.measures[m], results[member.first].name,
                       effect(differences), randomisation(differences, kPermutations, context),
                       member.adjusted});
    }
  }
  return tests;
}

std::string baseline_text(std::span<const BaselineTest> tests, std::string_view baseline) {
  std::string text;
  for (const auto& [measure, name, size, test, adjusted] : tests) {
    text += fmt::format("# {} {} against {}: {:+.6f}", measure, name, baseline, size.mean);
    if (size.interval)
      text += fmt::format(", 95 % [{:+.4f}, {:+.4f}]", size.interval->low, size.interval->high);
    text += fmt::format(", better {}, equal {}, worse {}", size.wins, size.ties, size.losses);
    text += test.p ? fmt::format(", randomisation p {}, max-T {}", number(test.p), number(adjusted))
                   : ", no test: " + test.reason;
    text += test.warning.empty() ? "\n" : fmt::format(" ({})\n", test.warning);
  }
  return text;
}

Json baseline_json(std::span<const BaselineTest> tests, std::string_view baseline) {
  Json list = Json::array();
  for (const auto& [measure, name, size, test, adjusted] : tests) {
    Json interval;
    if (size.interval) interval = {size.interval->low, size.interval->high};
    list.push_back({{"measure", measure},
                    {"name", name},
                    {"baseline", baseline},
                    {"queries", size.queries},
                    {"mean", size.queries ? Json(size.mean) : Json()},
                    {"interval", interval},
                    {"dz", or_null(size.cohens_dz)},
                    {"wins", size.wins},
                    {"ties", size.ties},
                    {"losses", size.losses},
                    {"p", or_null(test.p)},
                    {"max_t", or_null(adjusted)},
                    {"reason", test.reason},
                    {"warning", test.warning}});
  }
  return list;
}

}  // namespace podium::cli

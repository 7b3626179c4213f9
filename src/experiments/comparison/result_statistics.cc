#include "experiments/comparison/result_statistics.h"

#include <cmath>

#include <fmt/format.h>

#include "core/math_functions.h"
#include "experiments/comparison/json_number.h"
#include "podium/significance.h"

namespace podium {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kFewDifferences = 6;  // with fewer, no p can be below 0.05
constexpr std::size_t kResamples = 2000;    // of the bootstrap: for an interval, not a p-value

Json interval_json(const std::optional<Interval>& interval) {
  if (!interval) return nullptr;
  return {json_number(interval->low), json_number(interval->high)};
}

struct Pair {
  FamilyMember member;
  PairedDifferences differences;
  TestResult t, wilcoxon, sign;
  PValues::value_type chosen;  // of the test that is corrected by Holm or Benjamini-Hochberg
};

std::vector<Pair> test_pairs(const std::vector<std::vector<double>>& values, const Family& family,
                             PairedTest test, Context& context) {
  std::vector<Pair> pairs(family.members.size());
  context.pool.run(pairs.size(), [&](std::size_t i) {
    Pair& pair = pairs[i];
    pair.member = family.members[i];
    pair.differences = paired_differences(values[pair.member.first], values[pair.member.second]);
    pair.t = paired_t(pair.differences);
    pair.wilcoxon = wilcoxon(pair.differences);
    pair.sign = sign_test(pair.differences);
    pair.chosen = test == PairedTest::t          ? pair.t.p
                  : test == PairedTest::wilcoxon ? pair.wilcoxon.p
                  : test == PairedTest::sign     ? pair.sign.p
                                                 : pair.member.p;
  });
  return pairs;
}

Json optional_text(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

struct Adjusted {
  PValues holm, bh;
};

// From the test that decides.
std::string warning_of(const Pair& pair, const Effect& size, PairedTest test) {
  const std::size_t different = size.wins + size.losses;
  if (different > 0 && different < kFewDifferences) {
    if (test == PairedTest::t)
      return fmt::format("too few queries differ to trust the t test: {}", different);
    return fmt::format("too few queries differ: {}, and p cannot be below {:.3g}", different,
                       math::exp2(1 - static_cast<double>(different)));
  }
  return test == PairedTest::wilcoxon ? pair.wilcoxon.warning : "";
}

Json pair_json(const Pair& pair, const Adjusted& adjusted, std::size_t i,
               const std::vector<std::string>& systems, PairedTest test, Context& context) {
  const Effect size = effect(pair.differences);
  const auto bootstrap =
      bootstrap_interval(pair.differences, Bootstrap::percentile, 0.95, kResamples, context);
  return {{"a", systems[pair.member.first]},
          {"b", systems[pair.member.second]},
          {"queries", size.queries},
          {"wins", size.wins},
          {"ties", size.ties},
          {"losses", size.losses},
          {"mean", json_number(size.mean)},
          {"dz", json_number(size.cohens_dz)},
          {"interval", interval_json(size.interval)},
          {"bootstrap", interval_json(bootstrap.interval)},
          {"p",
           {{"randomisation", json_number(pair.member.p)},
            {"t", json_number(pair.t.p)},
            {"wilcoxon", json_number(pair.wilcoxon.p)},
            {"sign", json_number(pair.sign.p)}}},
          {"adjusted",
           {{"max-t", json_number(pair.member.adjusted)},
            {"holm", json_number(adjusted.holm[i])},
            {"bh", json_number(adjusted.bh[i])}}},
          {"reason", optional_text(pair.member.reason)},
          {"warning", optional_text(warning_of(pair, size, test))}};
}

std::string_view to_text(Standing standing) {
  switch (standing) {
    case Standing::best:
      return "best";
    case Standing::not_worse:
      return "not-worse";
    case Standing::worse:
      return "worse";
    case Standing::unknown:
      return "unknown";
  }
  return "";
}

// The family with the p-values that decide about the marks.
Family corrected(Family family, const std::vector<Pair>& pairs, const Adjusted& adjusted,
                 Correction correction) {
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (correction == Correction::holm) family.members[i].adjusted = adjusted.holm[i];
    if (correction == Correction::bh) family.members[i].adjusted = adjusted.bh[i];
    if (correction == Correction::none) family.members[i].adjusted = pairs[i].chosen;
  }
  return family;
}

// Why no pair could be tested, if there is a common reason.
Json common_reason(const std::vector<Pair>& pairs) {
  if (pairs.empty()) return "only one system: nothing to compare it with";
  for (const Pair& pair : pairs)
    if (pair.member.p) return nullptr;
  return optional_text(pairs[0].member.reason);
}

}  // namespace

Json measure_statistics(const std::vector<SystemResult>& systems, const StatisticsTerms& terms,
                        Context& context) {
  std::vector<std::string> names;
  std::vector<std::vector<double>> tested;
  std::vector<double> figures;
  for (const SystemResult& system : systems) {
    if (system.run == SystemResult::Run::failed) continue;
    names.push_back(system.name);
    tested.push_back(system.values);
    figures.push_back(system.figure);
  }
  Family family;
  if (names.size() > 1) family = max_t_all_pairs(tested, terms.permutations, context);
  const std::vector<Pair> pairs = test_pairs(tested, family, terms.test, context);
  PValues p;
  for (const Pair& pair : pairs) p.push_back(pair.chosen);
  const Adjusted adjusted{holm(p), benjamini_hochberg(p)};
  std::vector<Json> rows(pairs.size());
  context.pool.run(pairs.size(), [&](std::size_t i) {
    rows[i] = pair_json(pairs[i], adjusted, i, names, terms.test, context);
  });
  const auto standing =
      standings(figures, corrected(family, pairs, adjusted, terms.correction), terms.alpha);
  Json marks = Json::object();
  for (std::size_t s = 0, k = 0; s < systems.size(); ++s)
    marks[systems[s].name] =
        to_text(systems[s].run == SystemResult::Run::failed ? Standing::unknown : standing[k++]);
  return {{"reason", common_reason(pairs)}, {"pairs", rows}, {"standings", marks}};
}

}  // namespace podium

// Measures and rankings to test with: every row of the catalogue in several parameter settings, and
// small random rankings with ties, unjudged documents and relevant ones that were not retrieved.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/random.h"
#include "podium/evaluator.h"
#include "podium/measure.h"

namespace podium::testing {

inline std::vector<std::string> alternatives(const Field& field) {
  if (!field.choices.empty()) return field.choices;
  if (field.name == "k" && std::holds_alternative<double>(field.initial))
    return {"0.3", "0.5", "1"};
  if (field.name == "k") return {"1", "3", "5", "100"};
  if (field.name == "gain") return {"exp2", "linear", "0;1;3;7;15", "0.5;2"};
  if (field.name == "rel") return {"2", "0.5"};
  if (field.name == "p") return {"0.5", "0.95", "0"};
  if (field.name == "max") return {"1", "2.5"};
  if (field.name == "beta") return {"0", "2"};
  if (field.name == "mult") return {"0.4", "2"};
  return {"0.25", "-2"};
}

// Defaults, every alternative of every parameter alone, and each of those with a cut-off.
inline std::vector<MeasurePtr> measure_variants() {
  std::vector<MeasurePtr> variants;
  for (const Entry<Measure>* entry : measures().entries()) {
    const std::vector<Field>& fields = entry->options();
    const auto k =
        std::find_if(fields.begin(), fields.end(), [](const Field& f) { return f.name == "k"; });
    variants.push_back(measures().make(entry->name));
    for (const Field& field : fields)
      for (const std::string& value : alternatives(field)) {
        variants.push_back(measures().make(entry->name, {{field.name, value}}));
        if (k != fields.end() && k->name != field.name)
          variants.push_back(
              measures().make(entry->name, {{field.name, value}, {"k", alternatives(*k)[1]}}));
      }
  }
  return variants;
}

struct RankingCase {
  std::vector<float> by_rank;
  std::vector<float> ideal;
  std::vector<std::uint32_t> ends;

  RankedLabels ranking() const { return {by_rank, ideal}; }
  TieGroups ties() const { return {ranking(), ends}; }
};

enum class Judging { complete, partial };

// A ranking of 0 … max_documents documents, with tied groups.
inline RankingCase random_ranking(Random& random, std::size_t max_documents, Judging judging) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> grades = judging == Judging::complete
                                        ? std::vector<float>{0, 0, 1, 2, 3, 0.5F}
                                        : std::vector<float>{0, 0, 1, 2, 3, 1, kNan, kNan, -1};
  RankingCase made;
  const std::size_t documents = random.below(max_documents + 1);
  for (std::size_t i = 0; i < documents; ++i)
    made.by_rank.push_back(grades[random.below(grades.size())]);
  made.ideal = made.by_rank;
  if (judging == Judging::partial)
    for (std::uint64_t i = random.below(4); i > 0; --i)
      made.ideal.push_back(static_cast<float>(random.below(3)));
  std::erase_if(made.ideal, [](float label) { return std::isnan(label); });
  std::sort(made.ideal.begin(), made.ideal.end(), std::greater<>());
  for (std::uint32_t end = 0; end < documents;) {
    end += 1 + static_cast<std::uint32_t>(random.below(documents - end));
    made.ends.push_back(end);
  }
  return made;
}

// visit(order) for every order of the documents inside the tied groups.
template <class Visit>
void for_each_order(const std::vector<float>& by_rank, const std::vector<std::uint32_t>& ends,
                    Visit&& visit) {
  std::vector<std::size_t> order(by_rank.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::vector<float> permuted(by_rank.size());
  for (;;) {
    for (std::size_t i = 0; i < order.size(); ++i) permuted[i] = by_rank[order[i]];
    visit(permuted);
    std::size_t begin = 0, g = 0;
    for (; g < ends.size(); begin = ends[g++])
      if (std::next_permutation(order.begin() + static_cast<std::ptrdiff_t>(begin),
                                order.begin() + static_cast<std::ptrdiff_t>(ends[g])))
        break;
    if (g == ends.size()) return;
  }
}

}  // namespace podium::testing

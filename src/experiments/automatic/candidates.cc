#include "experiments/automatic/candidates.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/random.h"
#include "experiments/latin_hypercube.h"
#include "experiments/tuning.h"
#include "podium/auto.h"
#include "podium/error.h"
#include "podium/learner.h"

namespace podium {
namespace {

constexpr std::size_t kPointsPerFamily = 64;

std::vector<Assignments> points_of(const std::string& learner, std::uint64_t seed) {
  const auto& fields = learners().at(learner).options();
  const auto space = search_space(fields, Settings(fields, {}));
  std::vector<Assignments> points(1);  // the defaults
  if (space.empty()) return points;
  const auto cube = latin_hypercube(kPointsPerFamily, space.size(), mix(seed, hash_text(learner)));
  for (const auto& point : cube) {
    Assignments options;
    for (std::size_t d = 0; d < space.size(); ++d)
      options.emplace_back(space[d]->name, space[d]->search->at(point[d], space[d]->initial));
    if (std::find(points.begin(), points.end(), options) == points.end())
      points.push_back(std::move(options));
  }
  return points;
}

}  // namespace

const std::vector<std::string>& auto_learners() {
  static const std::vector<std::string> names = {
      "lambdamart", "linear",     "intervalrank",     "svm-map",          "listnet",
      "mart",       "ranksvm",    "mcrank",           "directrank-trees", "rankboost",
      "directrank", "lambdarank", "coordinate-ascent"};
  return names;
}

CandidateTable::CandidateTable(const std::vector<std::string>& names, std::uint64_t seed) {
  for (const std::string& name : names) {
    learners().at(name);  // throws if it is unknown
    for (const Family& other : families_)
      if (other.learner == name)
        throw Error(ErrorCode::usage, fmt::format("‹learners› names {} twice", name));
    families_.push_back({name, points_of(name, seed)});
  }
  searched_ = families_.size();
  boosted_ = find_or_append("lambdamart");
  feature_ = find_or_append("feature");
}

std::vector<std::size_t> CandidateTable::order() const {
  std::vector<std::size_t> out;
  if (boosted_ < searched_) out.push_back(boosted_);
  for (std::size_t f = 0; f < searched_; ++f)
    if (f != boosted_) out.push_back(f);
  return out;
}

std::size_t CandidateTable::find_or_append(const std::string& learner) {
  for (std::size_t f = 0; f < families_.size(); ++f)
    if (families_[f].learner == learner) return f;
  families_.push_back({learner, {{}}});
  return families_.size() - 1;
}

std::string CandidateTable::text(const Candidate& candidate) const {
  std::vector<std::string> words;
  for (const auto& [name, value] : options(candidate)) words.push_back(name + "=" + value);
  return words.empty() ? learner(candidate)
                       : fmt::format("{}({})", learner(candidate), fmt::join(words, ","));
}

}  // namespace podium

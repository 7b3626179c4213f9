// Where direct search starts: at the model to continue, at other learners' linear models, and at
// random points.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "learners/direct_search/feature_columns.h"
#include "podium/learner.h"

namespace podium {

struct StartOptions {
  std::int64_t restarts = 20;     // random points
  std::string learners = "auto";  // "linear,ranksvm(C=100)"; empty: none
};

// The starts found so far: column weights whose largest magnitude is 1.
struct Starts {
  std::vector<std::vector<double>> found = {};
  std::size_t tried = 0;  // sources
  template <class Archive, class Self>
  static void fields(Archive& archive, Self& self) {
    archive(self.found, self.tried);
  }
};

class StartFinder {
 public:
  // `problem` is the one that the learners solve. All arguments must outlive this object.
  StartFinder(const TrainingProblem& problem, StartOptions options, const FeatureColumns& columns,
              Context& context);

  bool has_all(const Starts& starts) const noexcept { return starts.tried == sources_.size(); }
  // Tries the next source: the model to continue, or a learner. If its loss has nothing to learn
  // from, the observer gets a note, and there is no start.
  void find_next(Starts& starts, Context& context) const;
  // The starts, followed by the random points.
  std::vector<std::vector<double>> with_random(Starts starts) const;

 private:
  const TrainingProblem& problem_;
  StartOptions options_;
  const FeatureColumns& columns_;
  std::uint64_t seed_;
  std::vector<std::string> sources_;  // learners; empty text: the model to continue
};

// A point near these weights, a function of seed and number.
std::vector<double> kick(std::span<const double> weights, const FeatureColumns& columns,
                         std::uint64_t seed, std::int64_t number);

}  // namespace podium

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

// What was found so far: weights of the columns, of largest size 1.
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
  // `problem` is the one the learners solve. All of these must outlive this.
  StartFinder(const TrainingProblem& problem, StartOptions options, const FeatureColumns& columns,
              Context& context);

  bool has_all(const Starts& starts) const noexcept { return starts.tried == sources_.size(); }
  // Tries the next source: the model to continue, or a learner. Where its loss finds nothing to
  // learn from the observer gets a note, and there is no start.
  void find_next(Starts& starts, Context& context) const;
  // The starts, and the random points after them.
  std::vector<std::vector<double>> with_random(Starts starts) const;

 private:
  const TrainingProblem& problem_;
  StartOptions options_;
  const FeatureColumns& columns_;
  std::uint64_t seed_;
  std::vector<std::string> sources_;  // learners; empty text: the model to continue
};

// A point near to these weights, the same for the same seed and number.
std::vector<double> kick(std::span<const double> weights, const FeatureColumns& columns,
                         std::uint64_t seed, std::int64_t number);

}  // namespace podium

// Direct search [Tan13]: maximises a measure of a linear model by exact line searches, one
// direction after another, until a round gains no more than a tolerance. No step lowers the measure
// on the training data.
//
//   coordinates  every feature in turn (cyclic), or the one that gains most (greedy)
//   powell       a set of directions, at first the features; a round goes through the set, then
//                along the whole displacement of the round, which replaces the direction that
//                gained most [Powell64]. When a round gains nothing the set is the features again.
//   gradient     down the gradient of a loss, ten searches a round
//   mixed        every feature, then the round's displacement, then a gradient
//
// SearchSpace is what all climbs share and never changes; a Climb is one start's way up.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "learners/direct_search/feature_columns.h"
#include "learners/direct_search/line_step.h"
#include "podium/loss.h"

namespace podium {

struct DirectSearchOptions {
  enum class Directions {
    coordinates,
    powell,
    gradient,
    mixed
  } directions = Directions::coordinates;
  enum class Order { cyclic, greedy } order = Order::cyclic;
  StepRule step;
  double tolerance = 1e-5;
};

class SearchSpace {
 public:
  // `loss` provides the gradients; null if no method needs them. The data must outlive this object.
  SearchSpace(const Dataset& data, MeasurePtr measure, const Convention& convention,
              const Loss* loss, const DirectSearchOptions& options, Context& context);

  const Dataset& data() const noexcept { return data_; }
  const FeatureColumns& columns() const noexcept { return columns_; }
  const LineStep& step() const noexcept { return step_; }
  const DirectSearchOptions& options() const noexcept { return options_; }

  double evaluate(std::span<const double> scores, Context& context) const;
  // The direction of steepest descent of the loss at these scores, as column weights of length 1;
  // empty at a stationary point.
  std::vector<double> descent(std::span<const double> scores, Context& context) const;

 private:
  const Dataset& data_;
  MeasurePtr measure_;
  Convention convention_;
  DirectSearchOptions options_;
  FeatureColumns columns_;
  LineStep step_;
  std::unique_ptr<const BoundLoss> loss_;
};

// The state of a climb between two rounds.
struct ClimbState {
  // A feature, or column weights of length 1.
  struct Direction {
    std::uint32_t feature = 0;
    std::vector<double> weights = {};
    template <class Archive, class Self>
    static void fields(Archive& archive, Self& self) {
      archive(self.feature, self.weights);
    }
  };
  std::vector<double> weights;
  std::vector<Direction> set = {};  // empty: the features
  template <class Archive, class Self>
  static void fields(Archive& archive, Self& self) {
    archive(self.weights, self.set);
  }
};

class Climb {
 public:
  // Starts from column weights, or from the state of another climb.
  Climb(const SearchSpace& space, ClimbState from, Context& context);

  double value() const noexcept { return value_; }  // of the measure on the training data
  std::span<const double> weights() const noexcept { return at_.weights; }
  Linear model() const { return space_.columns().model(at_.weights); }
  const ClimbState& state() const noexcept { return at_; }
  // Steps of the last round into an interval that is bounded on one side only.
  std::size_t unbounded_steps() const noexcept { return unbounded_steps_; }

  enum class Outcome { improved, converged, interrupted };
  // `interrupted` is called before every search.
  Outcome round(const std::function<bool()>& interrupted, Context& context);

 private:
  using Direction = ClimbState::Direction;
  enum class Searched { done, interrupted };

  std::size_t set_size() const {
    return at_.set.empty() ? space_.columns().moving().size() : at_.set.size();
  }
  Direction direction(std::size_t k) const {
    return at_.set.empty() ? Direction{space_.columns().moving()[k]} : at_.set[k];
  }
  void replace(std::size_t k, Direction direction);
  void rescore(Context& context);
  double length() const;
  void project(const Direction& direction, std::span<double> scores, Context& context) const;
  Step look(const Direction& direction, Context& context);
  double go(const Direction& direction, const Step& step);
  double advance(const Direction& direction, Context& context);
  double advance_gradient(Context& context);
  Searched pass(const std::function<bool()>& interrupted, std::size_t& most_gained,
                Context& context);
  Searched greedy_pass(const std::function<bool()>& interrupted, std::size_t& most_gained,
                       Context& context);
  Searched follow_gradients(const std::function<bool()>& interrupted, Context& context);
  Searched go_round(const std::function<bool()>& interrupted, Context& context);

  const SearchSpace& space_;
  ClimbState at_;
  std::vector<double> scores_;
  std::vector<double> along_;  // the direction's scores
  double value_ = 0;           // as evaluated at the last rescoring
  double reached_ = 0;         // according to the line searches
  std::size_t unbounded_steps_ = 0;
};

}  // namespace podium

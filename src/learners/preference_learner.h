// Learners that go through pairs by themselves instead of minimising a Loss, and can take
// preferences (Dataset::preferences) for pairs.
#pragma once

#include <memory>
#include <string>

#include "podium/learner.h"
#include "podium/training.h"

namespace podium {

class PreferenceLearner : public Learner {
 public:
  virtual std::unique_ptr<const Learner> with_preferences(
      TrainingSpec::Preferences preferences) const = 0;
  // The loss over preferences, as model files name it; "" without them.
  virtual std::string preference_loss() const = 0;
};

// How the model file names what the learner minimises; "" for learners that minimise no loss.
std::string loss_text(const Learner& learner);

}  // namespace podium

// What makes a training the one it is: learner, options, loss, measure, seed and data. A checkpoint
// can be resumed only by the same training, and a refusal names what differs. What cannot change
// the model (threads, ranks, where files lie) is no part of it.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "podium/training.h"

namespace podium {

struct TrainingIdentity {
  // "‹learning-rate›" and its value as text, in an order that puts what explains most first.
  using Named = std::vector<std::pair<std::string, std::string>>;
  Named options;
  Named data;

  template <class Archive, class Self>
  static void fields(Archive& archive, Self& self) {
    archive(self.options, self.data);
  }
};

// Every rank calls, and gets the same.
TrainingIdentity identity_of(const TrainingSpec& spec, const PreparedData& data, Context& context);

// "the checkpoint is of another training: ‹learning-rate› was 0.1, now 0.05"; "" when they are the
// same.
std::string why_another(const TrainingIdentity& kept, const TrainingIdentity& now);

}  // namespace podium

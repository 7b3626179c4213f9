// What identifies a training run: learner, options, loss, measure, seed and data. A checkpoint can
// be resumed only by the same run, and a refusal names the difference. Settings that cannot change
// the model (threads, ranks, paths) are not part of it.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "podium/training.h"

namespace podium {

struct TrainingIdentity {
  // "‹learning-rate›" and its value as text; the most informative names come first.
  using Named = std::vector<std::pair<std::string, std::string>>;
  Named options;
  Named data;

  template <class Archive, class Self>
  static void fields(Archive& archive, Self& self) {
    archive(self.options, self.data);
  }
};

// Collective: every rank must call it, and gets the same result.
TrainingIdentity identity_of(const TrainingSpec& spec, const PreparedData& data, Context& context);

// "the checkpoint belongs to another training run: ‹learning-rate› was 0.1, now 0.05"; "" if they
// are the same.
std::string why_another(const TrainingIdentity& kept, const TrainingIdentity& now);

}  // namespace podium

// Training on a click log: --clicks, --debias, --propensities.
#pragma once

#include <string>

#include "cli/click_files.h"
#include "podium/debiased.h"
#include "podium/training.h"

namespace podium::cli {

class ClickTraining {
 public:
  // `learner`: its options. --propensity-clip is also called --clip, unless the learner has an
  // option of that name: there --clip is the learner's, and a note says so.
  void add(CLI::App& command, std::span<const Field> learner);
  bool given() const noexcept { return clicks_.given(); }
  // Everything that can be wrong before data is read. `init`: where training starts.
  void check(const std::string& init, const ChosenLearner& learner) const;
  // The documents that were shown, labelled by clicks; sets the spec's rewrite_loss. Notes how the
  // clicks were weighted.
  Dataset debias(const Dataset& data, TrainingSpec& spec, Context& context) const;

 private:
  DebiasOptions options() const;
  // Refuses what the method would ignore.
  void check_used(Debias method) const;

  ClickFiles clicks_;
  std::string propensities_;
  FieldOptions fields_;
  bool learner_clips_ = false;
};

}  // namespace podium::cli

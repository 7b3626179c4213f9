// `podium train --checkpoint-seconds S --resume`: a checkpoint MODEL.checkpoint next to the model.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "cli/command.h"
#include "learners/checkpoint/checkpoint_file.h"
#include "podium/model.h"

namespace podium::cli {

class CheckpointOptions {
 public:
  void add(CLI::App& command);
  // Throws a usage Error if there is no model file to put a checkpoint next to.
  void require_model_file(const std::string& model) const;

  // Resumes if --resume was given; null if no checkpoint is read or written. The identity is
  // computed only if it is needed.
  std::unique_ptr<CheckpointFile> open(const std::string& model,
                                       const std::function<TrainingIdentity()>& identity,
                                       const Context& context) const;

 private:
  double seconds_ = 300;
  bool resume_ = false;
  const CLI::Option* seconds_given_ = nullptr;
};

// Saves the model, then deletes the checkpoint unless training was stopped. If the model cannot be
// saved, the checkpoint stays, and the Error mentions it. `checkpoints` may be null.
void save_and_forget(const SavedModel& saved, const std::string& path, Termination why,
                     CheckpointFile* checkpoints, Context& context);

}  // namespace podium::cli

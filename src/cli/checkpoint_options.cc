#include "cli/checkpoint_options.h"

#include <filesystem>

#include <fmt/format.h>

#include "podium/error.h"
#include "podium/version.h"

namespace podium::cli {
namespace {

std::string seconds_problem(const std::string& text) {
  double seconds = 0;
  const bool fine = CLI::detail::lexical_cast(text, seconds) && seconds >= 0 && seconds < 1e9;
  return fine ? std::string() : fmt::format("'{}' is not a number of seconds >= 0", text);
}

// Standard output, pipes and devices store nothing.
bool is_file(const std::string& model) {
  if (model.empty() || model == "-") return false;
  std::error_code ignored;
  const auto status = std::filesystem::status(model, ignored);
  return !std::filesystem::exists(status) || std::filesystem::is_regular_file(status);
}

}  // namespace

void CheckpointOptions::add(CLI::App& command) {
  command.add_flag("--resume", resume_,
                   "resume from MODEL.checkpoint, left by a training run that was killed or "
                   "stopped; the model will be the same as without the interruption. Without a "
                   "checkpoint training starts from the beginning");
  seconds_given_ =
      command
          .add_option("--checkpoint-seconds", seconds_,
                      "seconds between writes of MODEL.checkpoint; 0: never (default 300)")
          ->check(CLI::Validator(seconds_problem, ""))
          ->type_name("X");
}

void CheckpointOptions::require_model_file(const std::string& model) const {
  if (is_file(model)) return;
  const char* const option = resume_                                       ? "--resume"
                             : seconds_given_->count() > 0 && seconds_ > 0 ? "--checkpoint-seconds"
                                                                           : nullptr;
  if (option)
    throw Error(
        ErrorCode::usage,
        fmt::format("{} needs --model FILE: the checkpoint is stored next to the model", option));
}

std::unique_ptr<CheckpointFile> CheckpointOptions::open(
    const std::string& model, const std::function<TrainingIdentity()>& identity,
    const Context& context) const {
  // Rank 0 decides for all ranks, by its disk.
  std::int64_t has_place = context.comm.rank() == 0 && is_file(model);
  context.comm.all_reduce_sum(std::span(&has_place, 1));
  if (!has_place || (seconds_ == 0 && !resume_)) return nullptr;
  auto file = std::make_unique<CheckpointFile>(
      CheckpointFile::Options{model + ".checkpoint", seconds_, PODIUM_VERSION}, identity(),
      context);
  if (resume_)
    file->resume();
  else
    file->begin_anew();
  return file;
}

void save_and_forget(const SavedModel& saved, const std::string& path, Termination why,
                     CheckpointFile* checkpoints, Context& context) {
  const bool kept = checkpoints && checkpoints->on_disk();
  try {
    save_model(saved, path);
  } catch (const Error& error) {
    if (!kept) throw;
    throw Error(error.code(),
                fmt::format("{}; {} is kept: fix the problem and continue with --resume",
                            error.message(), checkpoints->path()),
                error.where());
  }
  if (!checkpoints) return;
  if (why == Termination::stopped && kept)
    context.observer.note(fmt::format(
        "the model contains the training so far; --resume continues from {}", checkpoints->path()));
  else if (why != Termination::stopped)
    checkpoints->remove();
}

}  // namespace podium::cli

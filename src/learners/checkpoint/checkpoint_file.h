// The checkpoints of a program: one file next to the model, replaced at intervals and on a stop
// request. Rank 0 writes it; the file on its disk is enough to resume, with any number of ranks.
#pragma once

#include <chrono>
#include <string>

#include "learners/checkpoint/checkpoint_format.h"
#include "podium/context.h"

namespace podium {

class CheckpointFile final : public Checkpoints {
 public:
  struct Options {
    std::string path;
    double seconds = 300;  // between checkpoints; 0: none is written
    std::string version;   // of the program: checkpoints of other versions are refused
  };
  // Keeps a reference to the context.
  CheckpointFile(Options options, TrainingIdentity identity, const Context& context);

  // Resumes from the checkpoint; adds a note if there is none. Throws an Error with the reason if
  // it cannot be resumed. Every rank must call this or begin_anew().
  void resume();
  // Adds a note if there is a checkpoint, which will be replaced. Throws an Error if there is
  // another file in its place.
  void begin_anew();

  std::span<const std::byte> resumed() const override { return resumed_; }
  bool due() override;
  // If it cannot be written, the previous one is kept, training continues, and a note is added
  // once.
  void keep(std::span<const std::byte> state) override;

  // Whether the file has the state of this training run: it was read or written.
  bool on_disk() const noexcept { return on_disk_; }
  const std::string& path() const noexcept { return options_.path; }
  // Training has ended: removes the file, whether of this run or an older one that it would
  // replace.
  void remove();

 private:
  using Clock = std::chrono::steady_clock;

  bool is_first() const noexcept { return context_.comm.rank() == 0; }
  void go_on_from(const Checkpoint& checkpoint);
  void note_failure(const std::string& why);
  void write(std::span<const std::byte> state) const;

  Options options_;
  TrainingIdentity identity_;
  const Context& context_;
  std::vector<std::byte> resumed_;
  Clock::time_point last_ = Clock::now();
  bool on_disk_ = false, kept_after_stop_ = false;
  bool stale_ = false;   // there is a checkpoint that this run does not use
  std::string failure_;  // why the last one could not be written
};

}  // namespace podium

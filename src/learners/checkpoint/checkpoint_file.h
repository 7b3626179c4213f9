// The checkpoints of a program: one file next to the model, replaced at intervals and when
// a stop is requested. The first rank writes it; the file on its disk is enough to resume, with any
// number of ranks.
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
    std::string version;   // of the program: another one's checkpoints are refused
  };
  // Refers to the context.
  CheckpointFile(Options options, TrainingIdentity identity, const Context& context);

  // Goes on from the checkpoint that is there; a note says when there is none. An Error says why it
  // cannot be resumed. Every rank calls this or begin_anew().
  void resume();
  // A note says when there is one, which will be replaced. An Error says when something else lies
  // in its place.
  void begin_anew();

  std::span<const std::byte> resumed() const override { return resumed_; }
  bool due() override;
  // When it cannot be written, the previous one is kept, training continues, and a note says so
  // once.
  void keep(std::span<const std::byte> state) override;

  // Whether the file holds this training: it was read or written.
  bool on_disk() const noexcept { return on_disk_; }
  const std::string& path() const noexcept { return options_.path; }
  // The training is over: takes the file away, this training's or the one it replaces.
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
  bool stale_ = false;   // one that this training does not use is there
  std::string failure_;  // why the last one could not be written
};

}  // namespace podium

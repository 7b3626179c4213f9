#include "learners/checkpoint/checkpoint_file.h"

#include <cerrno>
#include <new>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/mapped_file.h"
#include "core/output_file.h"
#include "distributed/on_every_rank.h"
#include "podium/error.h"

namespace podium {
namespace {

bool exists(const std::string& path) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0;
}

std::span<const std::byte> bytes_of(const MappedFile& file) {
  return std::as_bytes(std::span(file.bytes()));
}

}  // namespace

CheckpointFile::CheckpointFile(Options options, TrainingIdentity identity, const Context& context)
    : options_(std::move(options)), identity_(std::move(identity)), context_(context) {}

void CheckpointFile::resume() {
  std::vector<std::byte> file;  // empty: there is none
  on_first_rank(context_.comm, [&] {
    if (!exists(path())) {
      context_.observer.note(
          fmt::format("there is no {}: training starts from the beginning", path()));
      return;
    }
    const MappedFile mapped(path());
    const auto bytes = bytes_of(mapped);
    file.assign(bytes.begin(), bytes.end());
    checkpoint_from_bytes(file, path());
  });
  if (context_.comm.size() > 1) file = context_.comm.all_gather(file).front();
  if (!file.empty()) go_on_from(checkpoint_from_bytes(file, path()));
  if (is_first()) remove_leftovers(path());
}

void CheckpointFile::begin_anew() {
  if (options_.seconds <= 0) return;
  on_first_rank(context_.comm, [&] {
    remove_leftovers(path());
    if (!exists(path())) return;
    if (!begins_like_checkpoint(bytes_of(MappedFile(path()))))
      throw Error(ErrorCode::file,
                  "not a checkpoint, and this training's would be written here: move it away, or "
                  "give ‹checkpoint-seconds 0›",
                  {path()});
    stale_ = true;
    context_.observer.note(fmt::format(
        "{} is not used and will be replaced: ‹resume› would continue from it", path()));
  });
}

void CheckpointFile::go_on_from(const Checkpoint& checkpoint) {
  constexpr const char* kAdvice = "; begin again without ‹resume›, or give another ‹model›";
  if (checkpoint.version != options_.version)
    throw Error(ErrorCode::usage,
                fmt::format("the checkpoint was written by Podium {}, and this is {}{}",
                            checkpoint.version, options_.version, kAdvice),
                {path()});
  const std::string why = why_another(checkpoint.identity, identity_);
  if (!why.empty()) throw Error(ErrorCode::usage, why + kAdvice, {path()});
  resumed_ = checkpoint.state;
  on_disk_ = true;
}

bool CheckpointFile::due() {
  if (!is_first() || options_.seconds <= 0) return false;
  if (context_.stop.stop_requested() && !kept_after_stop_) return true;
  return std::chrono::duration<double>(Clock::now() - last_).count() >= options_.seconds;
}

void CheckpointFile::keep(std::span<const std::byte> state) {
  if (!is_first() || options_.seconds <= 0) return;
  kept_after_stop_ = context_.stop.stop_requested();
  try {
    write(state);
    if (!failure_.empty()) context_.observer.note("writing checkpoints works again");
    failure_.clear();
    on_disk_ = true;
  } catch (const Error& error) {
    note_failure(error.what());
  } catch (const std::bad_alloc&) {
    note_failure("not enough memory");
  }
  last_ = Clock::now();
}

void CheckpointFile::note_failure(const std::string& why) {
  if (failure_ != why)
    context_.observer.note(fmt::format("the checkpoint cannot be written, training continues{}: {}",
                                       on_disk_ ? " and the previous one is kept" : "", why));
  failure_ = why;
}

void CheckpointFile::write(std::span<const std::byte> state) const {
  const SealedCheckpoint sealed = seal(options_.version, identity_, state);
  OutputFile file(path());
  const auto put = [&](std::span<const std::byte> bytes) {
    file.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  };
  put(sealed.head);
  put(state);
  put(std::as_bytes(std::span(&sealed.checksum, 1)));
  file.commit();
}

void CheckpointFile::remove() {
  if (!is_first() || !(on_disk_ || stale_)) return;
  if (unlink(path().c_str()) != 0 && errno != ENOENT)
    context_.observer.note(fmt::format("{} is no longer needed, and cannot be deleted", path()));
  on_disk_ = stale_ = false;
}

}  // namespace podium

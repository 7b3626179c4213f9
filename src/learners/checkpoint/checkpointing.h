// How trainers save and restore their state (podium/checkpoint.h): a struct with `fields`
// (core/archive.h), read once at the start and saved after iterations when it is time.
//
//   State state;
//   if (!resume(context, state, deadline)) state = begin();
//   while (…) { step(state); keep_if_due(context, state, deadline); }
#pragma once

#include "core/archive.h"
#include "podium/context.h"
#include "podium/error.h"
#include "podium/learner.h"

namespace podium {

template <class Archive, class T>
requires std::is_same_v<std::remove_const_t<T>, Iteration>
void archive_fields(Archive& archive, T& value) {
  archive(value.number, value.total, value.values);
}
template <class Archive, class T>
requires std::is_same_v<std::remove_const_t<T>, Certificate>
void archive_fields(Archive& archive, T& value) {
  archive(value.primal, value.dual, value.gap);
}

// Restores the state saved by an earlier run and returns true; false if there is none. The parts
// must be those that were saved, in the same order.
template <class... Parts>
bool resume(const Context& context, Parts&... parts) {
  if (!context.checkpoints || context.checkpoints->resumed().empty()) return false;
  ArchiveReader reader(context.checkpoints->resumed());
  reader(parts...);
  if (!reader.at_end())
    throw Error(ErrorCode::file, "the saved state is longer than this training's");
  return true;
}

template <class... Parts>
void keep(const Context& context, const Parts&... parts) {
  if (!context.checkpoints) return;
  ArchiveWriter writer;
  writer(parts...);
  context.checkpoints->keep(writer.take());
}

template <class... Parts>
void keep_if_due(const Context& context, const Parts&... parts) {
  if (context.checkpoints && context.checkpoints->due()) keep(context, parts...);
}

}  // namespace podium

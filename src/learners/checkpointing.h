// How trainers keep and find their state (podium/checkpoint.h): a struct with `fields`
// (core/archive.h), read once at the start and kept after every iteration when it is time.
//
//   State state;
//   if (!resume(state, context)) state = begin();
//   while (…) { step(state); keep_if_due(state, context); }
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

// Whether an earlier run left its state, which is then read.
template <class State>
bool resume(State& state, const Context& context) {
  if (!context.checkpoints || context.checkpoints->resumed().empty()) return false;
  ArchiveReader reader(context.checkpoints->resumed());
  reader(state);
  if (!reader.at_end())
    throw Error(ErrorCode::file, "the state that was kept is longer than this training's");
  return true;
}

template <class State>
void keep(const State& state, const Context& context) {
  if (!context.checkpoints) return;
  ArchiveWriter writer;
  writer(state);
  context.checkpoints->keep(writer.take());
}

template <class State>
void keep_if_due(const State& state, const Context& context) {
  if (context.checkpoints && context.checkpoints->due()) keep(state, context);
}

}  // namespace podium

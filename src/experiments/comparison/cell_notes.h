// Notes from cells, prefixed with the system's name.
#pragma once

#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "podium/context.h"

namespace podium {

// The notes already made: the folds of a system often have the same.
class NotesMade {
 public:
  bool is_new(const std::string& note) {
    const std::scoped_lock lock(mutex_);
    return made_.insert(note).second;
  }

 private:
  std::mutex mutex_;
  std::set<std::string> made_;
};

// Passes on the notes of a system's cells, prefixed with its name, each once.
class CellNotes final : public Observer {
 public:
  CellNotes(Observer& outer, NotesMade& made, std::string system)
      : outer_(outer), made_(made), system_(std::move(system)) {}
  void note(std::string_view text) override {
    const std::string note = fmt::format("{}: {}", system_, text);
    if (made_.is_new(note)) outer_.note(note);
  }

 private:
  Observer& outer_;
  NotesMade& made_;
  std::string system_;
};

}  // namespace podium

// A catalogue: the explicit table of all measures, losses or learners. One Entry describes one row,
// for the command line, the documentation and the contract tests.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "podium/error.h"
#include "podium/options.h"

namespace podium {

template <class T>
struct Entry {
  std::string_view name;     // as users write it
  std::string_view summary;  // one line
  std::string_view paper;    // key in docs/bibliography.md, or ""
  const std::vector<Field>& (*options)();
  std::unique_ptr<const T> (*make)(const Settings&);
};

template <class T>
class Catalog {
 public:
  Catalog(std::string_view kind, std::span<const Entry<T>* const> entries)
      : kind_(kind), entries_(entries) {}

  std::span<const Entry<T>* const> entries() const noexcept { return entries_; }

  const Entry<T>* find(std::string_view name) const noexcept {
    for (const Entry<T>* entry : entries_)
      if (entry->name == name) return entry;
    return nullptr;
  }

  // The entry with that name; throws an Error that names the closest one if there is none.
  const Entry<T>& at(std::string_view name) const {
    if (const Entry<T>* entry = find(name)) return *entry;
    std::vector<std::string> names;
    for (const Entry<T>* entry : entries_) names.emplace_back(entry->name);
    throw Error(ErrorCode::usage, "unknown " + kind_ + " '" + std::string(name) + "'" +
                                      suggestion(name, names) + " (`podium " + kind_ +
                                      (kind_.ends_with('s') ? "es" : "s") + "` lists them)");
  }

  std::unique_ptr<const T> make(std::string_view name, const Assignments& given = {}) const {
    const Entry<T>& entry = at(name);
    return entry.make(Settings(entry.options(), given));
  }

 private:
  std::string kind_;
  std::span<const Entry<T>* const> entries_;
};

// The options of a row that has none.
inline const std::vector<Field>& no_options() {
  static const std::vector<Field> none;
  return none;
}

}  // namespace podium

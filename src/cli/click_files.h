// Click logs on the command line: --clicks and how it is read.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/command.h"
#include "podium/click_log.h"

namespace podium::cli {

enum class Needed { required, optional };

class ClickFiles {
 public:
  void add(CLI::App& command, Needed needed);
  bool given() const noexcept { return !path_.empty(); }
  const std::string& path() const noexcept { return path_; }
  // Usage Error if options of the log are given without it.
  void check() const;
  // With data, documents are matched.
  ClickLog read(const Dataset* data, double held_out, KeptSessions kept, Context& context) const;

 private:
  std::string path_;
  FieldOptions fields_;
};

// The action that a command's arguments name first, or "": it determines which options exist.
std::string action_named(const std::vector<std::string>& arguments,
                         std::span<const char* const> actions);

}  // namespace podium::cli

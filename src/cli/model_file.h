// Where a trained model is saved: --model, and --force to replace a file that is no model.
#pragma once

#include <string>

#include "cli/command.h"

namespace podium::cli {

struct ModelFile {
  std::string path;  // "": the model is not saved
  bool force = false;

  void add(CLI::App& command, const std::string& help);
  // Usage Error where the path is that of another file: data, most likely, given by mistake.
  void require_replaceable() const;
};

}  // namespace podium::cli

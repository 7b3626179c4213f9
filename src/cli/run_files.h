// TREC runs on the command line: --runs A.run,B.run and --qrels.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "podium/trec.h"

namespace podium::cli {

class RunFiles {
 public:
  CLI::Option* add(CLI::App& command, const std::string& help);
  bool given() const noexcept { return !paths_.empty(); }
  const std::vector<std::string>& paths() const noexcept { return paths_; }
  std::vector<TrecFile> read(Context& context) const;

 private:
  std::vector<std::string> paths_;
};

}  // namespace podium::cli

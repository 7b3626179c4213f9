#include "cli/run_files.h"

#include <algorithm>

#include "podium/error.h"

namespace podium::cli {

CLI::Option* RunFiles::add(CLI::App& command, const std::string& help) {
  return command.add_option("--runs", paths_, help)->delimiter(',')->type_name("A.run,B.run");
}

std::vector<TrecFile> RunFiles::read(Context& context) const {
  std::vector<TrecFile> runs;
  if (std::find(paths_.begin(), paths_.end(), "") != paths_.end())
    throw Error(ErrorCode::usage, "--runs: a name in the list is empty");
  for (const std::string& path : paths_) {
    context.observer.phase("reading " + path);
    runs.push_back(read_run(path, context));
  }
  return runs;
}

}  // namespace podium::cli

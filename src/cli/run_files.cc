#include "cli/run_files.h"

#include <algorithm>

#include "podium/error.h"

namespace podium::cli {

CLI::Option* RunFiles::add(CLI::App& command, const std::string& help) {
  // CLI11's delimiter would drop an empty name at the end.
  const auto split = [this](const CLI::results_t& lists) {
    for (const std::string& list : lists)
      for (std::size_t begin = 0, end = 0; end != list.npos; begin = end + 1) {
        end = list.find(',', begin);
        paths_.push_back(list.substr(begin, end - begin));
      }
    return true;
  };
  return command.add_option("--runs", split, help)
      ->expected(1, CLI::detail::expected_max_vector_size)
      ->allow_extra_args()
      ->type_name("A.run,B.run");
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

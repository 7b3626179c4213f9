#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/file_name.h"
#include "podium/run_features.h"

namespace podium {

std::vector<std::string> run_names(std::span<const TrecFile> runs) {
  std::vector<std::string> names, stems;
  for (const TrecFile& run : runs) stems.push_back(stem(run.path()));
  std::set<std::string> taken;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const bool shared = std::count(stems.begin(), stems.end(), stems[r]) > 1;
    const std::string plain = shared ? unpacked_name(runs[r].path()) : stems[r];
    std::string name = plain;
    for (int n = 2; !taken.insert(name).second; ++n) name = fmt::format("{}#{}", plain, n);
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace podium

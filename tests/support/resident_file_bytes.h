// How much of mapped files counts as this process's memory right now.
#pragma once

#include <cstddef>
#include <fstream>
#include <string>

namespace podium::testing {

// Linux adds up in steps: right within about a megabyte. 0 where the system does not tell.
inline std::size_t resident_file_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("RssFile:")) return std::stoull(line.substr(8)) << 10;
  return 0;
}

}  // namespace podium::testing

// How much of mapped files currently counts as this process's memory.
#pragma once

#include <cstddef>
#include <fstream>
#include <string>

namespace podium::testing {

// Linux updates the number in steps: accurate to about a megabyte. 0 if the system does not report
// it.
inline std::size_t resident_file_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("RssFile:")) return std::stoull(line.substr(8)) << 10;
  return 0;
}

}  // namespace podium::testing

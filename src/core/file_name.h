// Names of files.
#pragma once

#include <string>

namespace podium {

// Without folder and compression suffix (.gz, .zst): "runs/input.okapi.gz" gives "input.okapi".
std::string unpacked_name(const std::string& path);

// Also without the last suffix: the name of a file in tables. "runs/bm25.run.gz" gives "bm25".
std::string stem(const std::string& path);

}  // namespace podium

// Words of a command line that reads data as it was read here.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "podium/data_io.h"

namespace podium {

// The options that differ from the defaults.
std::vector<std::string> reading_words(const ReadOptions& options);

// Features as --features takes them: "3-8,10,bm25".
std::string feature_list(std::span<const std::string> names);

}  // namespace podium

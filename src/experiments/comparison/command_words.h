// Arguments of a podium command line, stored with results so that anybody can repeat them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "podium/data_io.h"

namespace podium {

// An option of the program, as two arguments.
void add_option(std::vector<std::string>& words, const std::string& name, std::string value);

// For options that need no value: "--log1p=true".
void add_flag(std::vector<std::string>& words, const std::string& name, const std::string& value);

// The options that differ from the defaults.
std::vector<std::string> reading_words(const ReadOptions& options);

// Features in the syntax of the option `features`: "3-8,10,bm25".
std::string feature_list(std::span<const std::string> names);

}  // namespace podium

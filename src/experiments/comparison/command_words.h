// Words of a command line of the program, which results keep so that anybody can repeat them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "podium/data_io.h"

namespace podium {

// An option as the program takes it, in two words.
void add_option(std::vector<std::string>& words, const std::string& name, std::string value);

// For options that take no value by themselves: "--log1p=true".
void add_flag(std::vector<std::string>& words, const std::string& name, const std::string& value);

// The options that differ from the defaults.
std::vector<std::string> reading_words(const ReadOptions& options);

// Features as the option `features` takes them: "3-8,10,bm25".
std::string feature_list(std::span<const std::string> names);

}  // namespace podium

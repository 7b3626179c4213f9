// The command that repeats an experiment: the arguments that affect its results, without those that
// say where they go and how they are shown.
#pragma once

#include <string>
#include <vector>

namespace podium::cli {

std::vector<std::string> repeating_words(const std::vector<std::string>& arguments);

}  // namespace podium::cli

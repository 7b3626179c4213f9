#include "cli/repeating_words.h"

#include <algorithm>
#include <string_view>

namespace podium::cli {

std::vector<std::string> repeating_words(const std::vector<std::string>& arguments) {
  static constexpr std::string_view kWithValue[] = {
      "--threads", "--device", "-o",       "--output",   "--report",
      "--watch",   "--memory", "--format", "--progress", "--write-folds"};
  std::vector<std::string> words = {"podium"};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word == "--json" || word == "--quiet") continue;
    const std::string name = word.substr(0, word.find('='));
    if (std::find(std::begin(kWithValue), std::end(kWithValue), name) != std::end(kWithValue)) {
      if (name == word) ++i;
      continue;
    }
    if (word.starts_with("-o") && word.size() > 2) continue;
    words.push_back(word);
  }
  return words;
}

}  // namespace podium::cli

#include "experiments/comparison/command_words.h"

#include <charconv>
#include <optional>

#include <fmt/format.h>

namespace podium {
namespace {

std::optional<std::uint32_t> number_of(const std::string& name) {
  std::uint32_t number = 0;
  const char* const end = name.data() + name.size();
  const auto read = std::from_chars(name.data(), end, number);
  if (read.ec != std::errc() || read.ptr != end) return {};
  return number;
}

}  // namespace

void add_option(std::vector<std::string>& words, const std::string& name, std::string value) {
  words.push_back("--" + name);
  words.push_back(std::move(value));
}

void add_flag(std::vector<std::string>& words, const std::string& name, const std::string& value) {
  words.push_back("--" + name + "=" + value);
}

std::vector<std::string> reading_words(const ReadOptions& options) {
  const Settings values = read_option_table().settings(options);
  std::vector<std::string> words;
  for (const Field& field : read_option_table().fields()) {
    if (values[field.name] == field.initial) continue;
    add_option(words, field.name, to_text(values[field.name]));
  }
  return words;
}

std::string feature_list(std::span<const std::string> names) {
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::size_t last = i;
    for (auto number = number_of(names[i]); number && last + 1 < names.size(); ++last)
      if (number_of(names[last + 1]) != ++*number) break;
    list += (list.empty() ? "" : ",") + names[i];
    if (last > i) list += "-" + names[last];
    i = last;
  }
  return list;
}

}  // namespace podium

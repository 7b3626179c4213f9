#include "experiments/command_words.h"

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

std::vector<std::string> reading_words(const ReadOptions& options) {
  const ReadOptions usual;
  std::vector<std::string> words;
  const auto add = [&](const char* name, auto ReadOptions::*member) {
    if (options.*member == usual.*member) return;
    words.push_back(name);
    words.push_back(fmt::format("{}", options.*member));
  };
  add("--data-format", &ReadOptions::format);
  add("--absent", &ReadOptions::absent);
  add("--label-column", &ReadOptions::label_column);
  add("--qid-column", &ReadOptions::qid_column);
  add("--docid-column", &ReadOptions::docid_column);
  add("--weight-column", &ReadOptions::weight_column);
  add("--position-column", &ReadOptions::position_column);
  add("--host-column", &ReadOptions::host_column);
  add("--first-feature", &ReadOptions::first_feature);
  add("--max-line-bytes", &ReadOptions::max_line_bytes);
  add("--max-features", &ReadOptions::max_features);
  add("--max-unpacked-bytes", &ReadOptions::max_unpacked_bytes);
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

#include "measures/measure_list.h"

#include <fmt/format.h>

#include "core/spec.h"
#include "core/text_scan.h"
#include "podium/error.h"

namespace podium {

std::vector<std::string_view> split_measure_list(std::string_view list) {
  std::vector<std::string_view> items;
  if (trim(list).empty()) throw Error(ErrorCode::usage, "the list of measures is empty");
  for (const std::string_view item : split_outside_parentheses(list, ',')) {
    items.push_back(trim(item));
    if (items.back().empty())
      throw Error(ErrorCode::usage,
                  fmt::format("the list of measures '{}' has an empty item", list));
  }
  return items;
}

std::vector<std::string_view> split_trec_measure_list(std::string_view list) {
  std::vector<std::string_view> items;
  for (const std::string_view item : split_measure_list(list)) {
    if (items.empty() || !is_digit(item.front())) {
      items.push_back(item);
      continue;
    }
    const char* const begin = items.back().data();
    items.back() = {begin, static_cast<std::size_t>(item.data() + item.size() - begin)};
  }
  return items;
}

}  // namespace podium

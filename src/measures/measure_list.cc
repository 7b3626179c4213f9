#include "measures/measure_list.h"

#include "core/text_scan.h"
#include "podium/error.h"

namespace podium {
namespace {

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

std::vector<std::string_view> split_measure_list(std::string_view list) {
  std::vector<std::string_view> items;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    if (i < list.size() && list[i] != ',') {
      depth += list[i] == '(' ? 1 : list[i] == ')' ? -1 : 0;
      continue;
    }
    if (i < list.size() && depth > 0) continue;
    if (const std::string_view item = trim(list.substr(begin, i - begin)); !item.empty())
      items.push_back(item);
    begin = i + 1;
  }
  if (items.empty()) throw Error(ErrorCode::usage, "the list of measures is empty");
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

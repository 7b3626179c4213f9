#include "data/formats/letor_comment.h"

#include "core/text_scan.h"

namespace podium {
namespace {

// Removes the next word from the text: "=" alone, or anything up to white space or '='.
std::string_view take_word(std::string_view& text) {
  std::size_t begin = 0;
  while (begin < text.size() && is_blank(text[begin])) ++begin;
  std::size_t end = begin;
  while (end < text.size() && !is_blank(text[end]) && text[end] != '=') ++end;
  if (end == begin && end < text.size()) ++end;
  const std::string_view word = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return word;
}

// The value after '=', up to white space: it may contain '=', as URLs do.
std::string_view take_value(std::string_view& text) {
  std::size_t begin = 0;
  while (begin < text.size() && is_blank(text[begin])) ++begin;
  std::size_t end = begin;
  while (end < text.size() && !is_blank(text[end])) ++end;
  const std::string_view value = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return value;
}

}  // namespace

RowComment parse_comment(std::string_view text) {
  RowComment comment;
  std::string_view rest = text;
  const std::string_view first = take_value(rest);
  rest = text;
  bool first_is_key = false;
  std::string_view key;
  for (bool at_start = true;; at_start = false) {
    const std::string_view word = take_word(rest);
    if (word.empty()) break;
    if (word != "=") {
      key = word;
      continue;
    }
    first_is_key |= at_start || key.data() == first.data();
    const std::string_view value = take_value(rest);
    if (key == "docid" && comment.docid.empty()) comment.docid = value;
    if (key == "host" && comment.host.empty()) comment.host = value;
    key = {};
  }
  if (comment.docid.empty() && !first_is_key) comment.docid = first;
  return comment;
}

}  // namespace podium

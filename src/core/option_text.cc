#include "podium/option_text.h"

#include <optional>

namespace podium {
namespace {

constexpr std::string_view kOpen = "‹", kClose = "›";

struct OptionMention {
  std::string_view name, value;
  std::size_t size = 0;  // in the text, including the quotes
};

bool is_option_name(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  if (name.empty() || !is_letter(name.front())) return false;
  for (const char c : name)
    if (!is_letter(c) && !(c >= '0' && c <= '9') && c != '-') return false;
  return true;
}

// The option that the text begins with.
std::optional<OptionMention> read_mention(std::string_view text) {
  if (!text.starts_with(kOpen)) return {};
  const std::size_t close = text.find(kClose);
  if (close == std::string_view::npos) return {};
  const std::string_view inside = text.substr(kOpen.size(), close - kOpen.size());
  const std::size_t blank = inside.find(' ');
  const std::string_view name = inside.substr(0, blank);
  if (!is_option_name(name) || inside.find(kOpen) != std::string_view::npos) return {};
  return OptionMention{
      name, blank == std::string_view::npos ? std::string_view() : inside.substr(blank + 1),
      close + kClose.size()};
}

}  // namespace

std::string option(std::string_view name) {
  return option(name, {});
}

std::string option(std::string_view name, std::string_view value) {
  std::string text(kOpen);
  text.append(name);
  if (!value.empty()) text.append(1, ' ').append(value);
  return text.append(kClose);
}

std::string spell_options(std::string_view text, OptionSpelling spelling) {
  std::string spelled;
  for (;;) {
    const std::size_t open = text.find(kOpen);
    spelled.append(text.substr(0, open));
    if (open == std::string_view::npos) return spelled;
    text.remove_prefix(open);
    if (const auto mention = read_mention(text)) {
      spelled.append(spelling(mention->name, mention->value));
      text.remove_prefix(mention->size);
    } else {
      spelled.append(kOpen);
      text.remove_prefix(kOpen.size());
    }
  }
}

std::string bare_option(std::string_view name, std::string_view value) {
  return std::string(name).append(value.empty() ? "" : " ").append(value);
}

std::string leading_option(std::string_view text) {
  const auto mention = read_mention(text);
  return mention ? std::string(mention->name) : std::string();
}

}  // namespace podium

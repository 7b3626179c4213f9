#include "data/formats/parse_error.h"

#include <fmt/format.h>

namespace podium {

std::string shortened(std::string_view text) {
  constexpr std::size_t kShown = 40;
  std::string shown;
  for (const char c : text.substr(0, kShown)) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      shown += c;
  }
  // Drops the bytes of a character that was cut in half.
  if (text.size() > kShown) {
    while (!shown.empty() && (static_cast<unsigned char>(shown.back()) & 0xC0) == 0x80)
      shown.pop_back();
    if (!shown.empty() && static_cast<unsigned char>(shown.back()) >= 0xC0) shown.pop_back();
    shown += "…";
  }
  return shown;
}

std::string token_at(const char* p) {
  const char* end = p;
  while (*end != '\n' && !is_blank(*end) && end - p < 100) ++end;
  return shortened({p, static_cast<std::size_t>(end - p)});
}

std::string number_problem(std::string_view what, std::string_view token, ScanStatus status) {
  switch (status) {
    case ScanStatus::infinite:
      return fmt::format("{} is '{}': values must be finite", what, token);
    case ScanStatus::overflow:
      return fmt::format("{} is '{}', which does not fit into a 32-bit float", what, token);
    case ScanStatus::missing:
      return fmt::format("{} is missing ('{}')", what, token);
    case ScanStatus::number:
    case ScanStatus::malformed:
      break;
  }
  return token.empty() ? fmt::format("{} is empty", what)
                       : fmt::format("{} is '{}', which is not a number", what, token);
}

}  // namespace podium

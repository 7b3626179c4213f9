#include "server/token.h"

#include <algorithm>

namespace podium {
namespace {

constexpr std::string_view kScheme = "Bearer ";

bool has_scheme(std::string_view text) noexcept {
  return text.size() > kScheme.size() &&
         std::equal(kScheme.begin(), kScheme.end(), text.begin(),
                    [](char a, char b) { return (a | 0x20) == (b | 0x20); });
}

}  // namespace

bool carries_token(std::string_view authorization, std::string_view token) noexcept {
  if (!has_scheme(authorization) || token.empty()) return false;
  const std::string_view given = authorization.substr(kScheme.size());
  volatile unsigned char different = given.size() == token.size() ? 0 : 1;
  for (std::size_t i = 0; i < given.size(); ++i)
    different = static_cast<unsigned char>(
        different | static_cast<unsigned char>(given[i] ^ token[i % token.size()]));
  return different == 0;
}

bool is_token(std::string_view text) noexcept {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7F'; });
}

}  // namespace podium

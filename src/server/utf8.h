// UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing beyond U+10FFFF.
#pragma once

#include <cstddef>
#include <string_view>

namespace podium {

// The position of the first invalid byte, or text.size().
std::size_t first_invalid_utf8(std::string_view text) noexcept;

}  // namespace podium

// Bearer tokens.
#pragma once

#include <string_view>

namespace podium {

// Whether an Authorization header has the token. Takes the same time wherever the first wrong byte
// is.
bool carries_token(std::string_view authorization, std::string_view token) noexcept;

// Whether it can be sent in a header: printable ASCII without blanks, not empty.
bool is_token(std::string_view text) noexcept;

}  // namespace podium

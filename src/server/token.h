// Bearer tokens.
#pragma once

#include <string_view>

namespace podium {

// Whether an Authorization header carries the token. Takes as long for a token that is wrong in its
// first byte as for one that is wrong in its last.
bool carries_token(std::string_view authorization, std::string_view token) noexcept;

// Whether it can be sent in a header: printable ASCII without blanks, and not empty.
bool is_token(std::string_view text) noexcept;

}  // namespace podium

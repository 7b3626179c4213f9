// The page of `podium serve --model`: web/try/, embedded by cmake/web.cmake.
#pragma once

#include <string_view>

namespace podium {

std::string_view try_page() noexcept;
std::string_view try_style() noexcept;
std::string_view try_script() noexcept;

}  // namespace podium

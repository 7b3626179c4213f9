// The report page built from web/: cmake/web.cmake generates its definition. Empty in a build
// without it.
#pragma once

#include <string_view>

namespace podium {

std::string_view report_page() noexcept;

}  // namespace podium

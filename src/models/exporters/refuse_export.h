// How an exporter says that its format cannot represent a model.
#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "podium/error.h"

namespace podium {

[[noreturn]] inline void refuse_export(std::string_view format, const std::string& why) {
  throw Error(ErrorCode::data, fmt::format("cannot export to {}: {}", format, why));
}

}  // namespace podium

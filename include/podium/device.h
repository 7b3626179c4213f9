// Where the work on documents is done: growing trees and scoring with them. The results are the
// same bytes on every device, so the choice affects only speed and is not stored in a model or a
// checkpoint.
#pragma once

#include <cstdint>
#include <string_view>

namespace podium {

enum class Device : std::uint8_t { cpu };

std::string_view to_text(Device device);
// Throws a usage Error for a device that this build does not support.
Device parse_device(std::string_view name);

}  // namespace podium

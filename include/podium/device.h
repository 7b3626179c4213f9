// Where the work on documents is done: growing trees and scoring by them. The results are the same
// bytes on every device, so this is a matter of speed, and no part of a model or a checkpoint.
#pragma once

#include <cstdint>
#include <string_view>

namespace podium {

enum class Device : std::uint8_t { cpu };

std::string_view to_text(Device device);
// Usage Error for a device that this build does not have.
Device parse_device(std::string_view name);

}  // namespace podium

// Packings whose libraries a build may lack: a file is then refused with the command that unpacks
// it.
#pragma once

#include <memory>
#include <string>

#include "core/unpack.h"

namespace podium {

// `path`: for messages.
std::unique_ptr<ByteStream> open_xz(std::unique_ptr<ByteStream> packed, const std::string& path);
std::unique_ptr<ByteStream> open_bzip2(std::unique_ptr<ByteStream> packed, const std::string& path);

}  // namespace podium

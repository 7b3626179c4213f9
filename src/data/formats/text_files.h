// Opens text files of data: as a whole, or one that all ranks see and of which each reads a part.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/mapped_file.h"
#include "core/text_source.h"
#include "podium/communicator.h"
#include "podium/data_io.h"

namespace podium {

TextLimits text_limits(const ReadOptions& options);

// For ranks that each read a part. All ranks must call it; throws an Error on every rank if the
// file cannot be divided, or if ranks see different files.
std::shared_ptr<const MappedFile> map_for_parts(const std::string& path, Communicator& comm);

// Checks that different machines see the same file under one path: throws an Error on every rank if
// the sizes differ. `what`: the unit of the size.
void require_one_file(const std::string& path, std::uint64_t size, std::string_view what,
                      Communicator& comm);

}  // namespace podium

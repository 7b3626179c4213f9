// Opening text files of data: as a whole, or one that all ranks see and read a part of each.
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

// For ranks that will read a part each. All ranks must call this; an Error on every rank where
// the file cannot be cut into parts, or where ranks see different ones.
std::shared_ptr<const MappedFile> map_for_parts(const std::string& path, Communicator& comm);

// What is read on different machines under one name must be one thing: an Error on every rank where
// their sizes differ. `what`: what the size counts.
void require_one_file(const std::string& path, std::uint64_t size, std::string_view what,
                      Communicator& comm);

}  // namespace podium

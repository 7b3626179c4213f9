// Files that are not data of Podium's formats, by their first bytes.
#pragma once

#include <string>
#include <string_view>

namespace podium {

// "this is Parquet: …", with what to do; "" for bytes that are no known other format. `path`: for
// the commands.
std::string foreign_file(std::string_view first_bytes, const std::string& path);

}  // namespace podium

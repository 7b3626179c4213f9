#include "core/file_name.h"

#include <string_view>

namespace podium {

std::string unpacked_name(const std::string& path) {
  std::string name = path.substr(path.find_last_of('/') + 1);
  for (const std::string_view ending : {".gz", ".zst", ".xz", ".bz2"})
    if (name.ends_with(ending)) name.resize(name.size() - ending.size());
  return name;
}

std::string stem(const std::string& path) {
  const std::string name = unpacked_name(path);
  const std::size_t dot = name.find_last_of('.');
  return dot == std::string::npos || dot == 0 ? name : name.substr(0, dot);
}

}  // namespace podium

#include "data/side_files.h"

#include <charconv>
#include <filesystem>
#include <limits>

#include <fmt/format.h>

#include "core/unpack.h"
#include "data/number_lines.h"
#include "podium/error.h"

namespace podium {
namespace {

// The first of the candidates that exists, or "".
std::string existing(const std::string& path, std::initializer_list<const char*> kinds) {
  for (const char* kind : kinds)
    for (const std::string& base : {path, std::string(without_packing(path))})
      if (std::error_code ignored; std::filesystem::is_regular_file(base + "." + kind, ignored))
        return base + "." + kind;
  return {};
}

template <class Int>
Int parse_count(std::string_view text, std::string_view what, const Place& place) {
  Int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0)
    throw Error(ErrorCode::data, fmt::format("'{}' is not a {}", text, what), place);
  return value;
}

std::vector<std::uint64_t> read_sizes(const std::string& file) {
  std::vector<std::uint64_t> sizes;
  for_each_number_line(file, [&](std::string_view text, const Place& place) {
    sizes.push_back(parse_count<std::uint32_t>(text, "group size", place));
    if (sizes.back() == 0) throw Error(ErrorCode::data, "a group of size 0", place);
  });
  return sizes;
}

}  // namespace

std::string side_file(const std::string& path, const std::string& kind) {
  return std::string(without_packing(path)) + "." + kind;
}

void read_side_files(const std::string& path, Surroundings& around, Context& context) {
  around.sizes_file = side_file(path, "query");
  if (path == "-") return;
  if (const std::string file = existing(path, {"query", "group"}); !file.empty()) {
    around.sizes_file = file;
    around.query_sizes = read_sizes(file);
  }
  if (const std::string file = existing(path, {"weight"}); !file.empty()) {
    context.observer.note("weights are read from " + file);
    around.weights_file = file;
    for_each_number_line(file, [&](std::string_view text, const Place& place) {
      const double weight = parse_number_line(text, place);
      if (weight < 0 || weight > std::numeric_limits<float>::max())
        throw Error(ErrorCode::data, fmt::format("'{}' is not a weight >= 0", text), place);
      around.weights.push_back(static_cast<float>(weight));
    });
  }
  if (const std::string file = existing(path, {"position"}); !file.empty()) {
    context.observer.note("positions are read from " + file);
    around.positions_file = file;
    for_each_number_line(file, [&](std::string_view text, const Place& place) {
      around.positions.push_back(parse_count<std::int32_t>(text, "position", place));
    });
  }
}

}  // namespace podium

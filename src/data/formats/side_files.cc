#include "data/formats/side_files.h"

#include <charconv>
#include <filesystem>
#include <limits>

#include <fmt/format.h>

#include "core/counted.h"
#include "core/unpack.h"
#include "data/formats/number_lines.h"
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

[[noreturn]] void fail_count(std::size_t given, const std::string& text, std::string_view allowed,
                             const std::string& file) {
  throw Error(ErrorCode::data, fmt::format("holds {} numbers, but {} has {}", given, text, allowed),
              {file});
}

template <class T>
void keep(std::vector<T>& kept, const Holding& held, std::size_t line, T value) {
  if (line >= held.first && line - held.first < held.count) kept.push_back(value);
}

}  // namespace

std::string side_file(const std::string& path, const std::string& kind) {
  return std::string(without_packing(path)) + "." + kind;
}

SideFiles find_side_files(const std::string& path) {
  SideFiles files{side_file(path, "query"), {}, {}};
  if (path == "-") return files;
  if (const std::string sizes = existing(path, {"query", "group"}); !sizes.empty())
    files.sizes = sizes;
  files.weights = existing(path, {"weight"});
  files.positions = existing(path, {"position"});
  return files;
}

std::vector<std::uint64_t> read_group_sizes(const std::string& file) {
  std::vector<std::uint64_t> sizes;
  for_each_number_line(file, [&](std::string_view text, const Place& place) {
    sizes.push_back(parse_count<std::uint32_t>(text, "group size", place));
    if (sizes.back() == 0) throw Error(ErrorCode::data, "a group of size 0", place);
  });
  return sizes;
}

SideWeights read_side_weights(const std::string& file, const std::string& text,
                              const Holding& documents, const Holding& queries) {
  SideWeights weights;
  std::size_t line = 0;
  for_each_number_line(file, [&](std::string_view number, const Place& place) {
    const double weight = parse_number_line(number, place);
    if (weight < 0 || weight > std::numeric_limits<float>::max())
      throw Error(ErrorCode::data, fmt::format("'{}' is not a weight >= 0", number), place);
    keep(weights.of_documents, documents, line, static_cast<float>(weight));
    keep(weights.of_queries, queries, line++, static_cast<float>(weight));
  });
  if (line != 0 && line != documents.all && line != queries.all)
    fail_count(line, text, counted(documents.all, "row") + " and " + counted(queries.all, "query"),
               file);
  if (line != documents.all) weights.of_documents.clear();
  if (line == documents.all) weights.of_queries.clear();
  return weights;
}

std::vector<std::int32_t> read_side_positions(const std::string& file, const std::string& text,
                                              const Holding& documents) {
  std::vector<std::int32_t> positions;
  std::size_t line = 0;
  for_each_number_line(file, [&](std::string_view number, const Place& place) {
    keep(positions, documents, line++, parse_count<std::int32_t>(number, "position", place));
  });
  if (line != 0 && line != documents.all)
    fail_count(line, text, counted(documents.all, "row"), file);
  return positions;
}

}  // namespace podium

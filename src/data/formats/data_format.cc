// Every format is declared and listed here.
#include "data/formats/data_format.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "core/text_source.h"
#include "core/unpack.h"
#include "data/formats/foreign_files.h"
#include "podium/error.h"

namespace podium {

extern const DataFormat kLetorFormat, kCsvFormat, kTsvFormat, kPodiumFormat;

namespace {

constexpr const DataFormat* kDataFormats[] = {&kLetorFormat, &kCsvFormat, &kTsvFormat,
                                              &kPodiumFormat};
constexpr std::size_t kSniffedBytes = std::size_t{64} << 10;

// Decompressed; "" if it is not a file, or not one that can be decompressed: the reader reports
// that with a better message.
std::string first_bytes_of(const std::string& path) {
  if (std::error_code ignored; !std::filesystem::is_regular_file(path, ignored)) return {};
  std::string bytes(kSniffedBytes, '\0');
  std::size_t size = 0;
  try {
    const auto stream = open_stream(path);
    while (size < bytes.size()) {
      const std::size_t more = stream->read(std::span(bytes).subspan(size));
      if (more == 0) break;
      size += more;
    }
  } catch (const Error& error) {
    if (error.code() == ErrorCode::file) throw;
    return {};
  }
  bytes.resize(size);
  return bytes;
}

// "LETOR text (.txt, .svm), CSV (.csv)"
std::string list_of_formats() {
  std::vector<std::string> formats;
  for (const DataFormat* format : kDataFormats)
    formats.push_back(fmt::format("{} ({})", format->title, fmt::join(format->suffixes, ", ")));
  return fmt::format("{}", fmt::join(formats, ", "));
}

}  // namespace

std::span<const DataFormat* const> data_formats() {
  return kDataFormats;
}

const DataFormat* format_with_suffix(std::string_view path) {
  const std::string_view name = without_packing(path);
  for (const DataFormat* format : kDataFormats)
    for (const std::string_view suffix : format->suffixes)
      if (name.ends_with(suffix)) return format;
  return nullptr;
}

const DataFormat* find_format(const std::string& path, const std::string& wanted) {
  for (const DataFormat* format : kDataFormats)
    if (format->name == wanted) return format;
  if (const DataFormat* format = format_with_suffix(path)) return format;
  const std::string bytes = first_bytes_of(path);
  if (bytes.empty()) return &kLetorFormat;
  const auto* const found =
      std::find_if(std::begin(kDataFormats), std::end(kDataFormats),
                   [&](const DataFormat* format) { return format->sniff(without_mark(bytes)); });
  return found == std::end(kDataFormats) ? nullptr : *found;
}

const DataFormat& format_to_read(const std::string& path, const std::string& wanted) {
  const DataFormat* const format = find_format(path, wanted);
  const std::string bytes = first_bytes_of(path);
  if (!format || !format->sniff(without_mark(bytes)))
    if (const std::string other = foreign_file(bytes, path); !other.empty())
      throw Error(ErrorCode::data, other, {path});
  if (format) return *format;
  throw Error(ErrorCode::data,
              fmt::format("neither the file's suffix nor its first bytes match a known format: {}",
                          list_of_formats()),
              {path});
}

const DataFormat& format_to_write(const std::string& path) {
  const DataFormat* format = format_with_suffix(path);
  return format ? *format : kLetorFormat;
}

}  // namespace podium

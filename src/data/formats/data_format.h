// The table of data file formats. To add one, write a .cc with its DataFormat and add a line to
// data_format.cc.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "data/formats/assemble.h"
#include "podium/context.h"
#include "podium/data_io.h"
#include "podium/dataset.h"

namespace podium {

struct DataFormat {
  std::string_view name;                        // as the option data-format spells it
  std::string_view title;                       // in messages: "the file is read as …"
  std::span<const std::string_view> suffixes;   // with the dot; the first is the usual one
  bool (*sniff)(std::string_view first_bytes);  // recognises a file by its beginning

  // Whether a header line names the columns, so that options can refer to them.
  enum class Columns { unnamed, named } columns;
  // Whether the file stays mapped into memory while its data is used.
  enum class Access { read_once, mapped } access;

  // Collective: all ranks of the context must call these, each with its own file, or each for its
  // part of a file that all of them see.
  Dataset (*read)(const std::string& path, Spread spread, const ReadOptions& options,
                  Context& context);
  Dataset (*read_part)(const std::string& path, const ReadOptions& options, Context& context);

  void (*write)(const Dataset& data, const std::string& path, Context& context);
};

std::span<const DataFormat* const> data_formats();

// By the path's suffix, before `.gz` or `.zst`; null if no format has it.
const DataFormat* format_with_suffix(std::string_view path);

// `wanted`: the option data-format. auto uses the suffix, or the first bytes if the suffix is
// unknown; input that cannot be inspected (standard input, a pipe, a file that does not exist yet)
// is LETOR text. Null: the file looks like none of the formats.
const DataFormat* find_format(const std::string& path, const std::string& wanted);
// The same, but throws an Error that lists the formats if there is none.
const DataFormat& format_to_read(const std::string& path, const std::string& wanted);
// LETOR text if the suffix is unknown.
const DataFormat& format_to_write(const std::string& path);

}  // namespace podium

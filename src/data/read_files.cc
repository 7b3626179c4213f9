#include "data/read_files.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "core/file_stamp.h"
#include "core/mapped_file.h"
#include "core/text_scan.h"
#include "core/unpack.h"
#include "data/binary_cache.h"
#include "data/csv_reader.h"
#include "data/data_format.h"
#include "data/letor_reader.h"
#include "data/qids_over_ranks.h"
#include "data/storage.h"
#include "data/text_share.h"
#include "distributed/gathered.h"
#include "distributed/together.h"
#include "podium/error.h"

namespace podium {
namespace {

TextLimits limits_of(const ReadOptions& options) {
  return {options.max_line_bytes, options.max_unpacked_bytes};
}

Surroundings surroundings_of(const std::string& path, DataFormat format) {
  Surroundings around;
  around.file = path;
  if (format != DataFormat::letor) return around;
  around.side_files = find_side_files(path);
  if (std::error_code ignored;
      path != "-" && std::filesystem::is_regular_file(around.side_files.sizes, ignored))
    around.query_sizes = read_group_sizes(around.side_files.sizes);
  return around;
}

// What is read on different machines under one name must be one thing.
void require_one_file(const std::string& path, std::uint64_t size, std::string_view what,
                      Communicator& comm) {
  const auto sizes = gathered(size, comm);
  for (std::size_t r = 1; r < sizes.size(); ++r)
    if (sizes[r] != sizes[0])
      throw Error(ErrorCode::data,
                  fmt::format("rank {} sees {} {}, but rank 0 sees {}: all ranks need the same "
                              "file, or one each with {{rank}} in its name",
                              r, sizes[r], what, sizes[0]),
                  {path});
}

Dataset part_of_cache(const std::string& path, Communicator& comm) {
  Dataset all;
  together(comm, [&] { all = read_binary_cache(path); });
  require_one_file(path, all.documents(), "documents", comm);
  Dataset part;
  together(comm, [&] {
    const auto begins = all.query_begin();
    const auto first_query = [&](int rank) {
      const std::size_t cut = share_begin(all.documents(), rank, comm.size());
      return static_cast<std::size_t>(std::lower_bound(begins.begin(), begins.end() - 1, cut) -
                                      begins.begin());
    };
    part = query_range(all, first_query(comm.rank()), first_query(comm.rank() + 1));
  });
  return part;
}

void require_cuttable(const std::string& path) {
  if (path == "-")
    throw Error(ErrorCode::usage,
                "several ranks cannot read from standard input: give them a file");
  if (packing_of(path) != Packing::none)
    throw Error(ErrorCode::usage,
                "a compressed file has no parts that ranks could begin at: make a .podium file of "
                "it with `podium prepare`, or give every rank its own with {rank} in the name",
                {path});
}

// A LETOR line that is no comment.
bool is_row(std::string_view line) {
  const auto* const text =
      std::find_if(line.begin(), line.end(), [](char c) { return !is_blank(c); });
  return text != line.end() && *text != '\n' && *text != '#';
}

Dataset part_of_letor(std::shared_ptr<const MappedFile> file, Surroundings around,
                      const ReadOptions& options, Context& context) {
  const std::string_view text = without_mark(file->bytes());
  const auto parse = [&](const TextBlock& line) { return parse_letor(line, options); };
  std::string_view part;
  if (around.query_sizes && !rows_carry_qids(text, parse))
    part = share_by_sizes(text, *around.query_sizes, is_row, context.comm);
  else
    part = share_by_qid(text, parse, context.comm);
  around.text_before = text.substr(0, static_cast<std::size_t>(part.data() - text.data()));
  const auto source = part_of_text(file, part, limits_of(options));
  return read_letor(*source, options, std::move(around), context);
}

Dataset part_of_csv(std::shared_ptr<const MappedFile> file, char separator, Surroundings around,
                    const ReadOptions& options, Context& context) {
  std::string_view text = without_mark(file->bytes());
  CsvHeader header;
  together(context.comm, [&] {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string line = std::string(text.substr(0, end)) + '\n';
    header =
        read_csv_header(std::string_view(line).substr(0, end), separator, options, around.file);
    text.remove_prefix(std::min(end + 1, text.size()));
  });
  const std::string_view part = share_by_qid(
      text, [&](const TextBlock& line) { return parse_csv(line, header, separator, options); },
      context.comm);
  around.text_before = text.substr(0, static_cast<std::size_t>(part.data() - text.data()));
  const auto source = part_of_text(file, part, limits_of(options));
  return read_csv_rows(*source, header, separator, options, std::move(around), context);
}

Dataset whole_file(const std::string& path, Spread spread, const ReadOptions& options,
                   Context& context) {
  const DataFormat format = data_format(path, options.format);
  Dataset data;
  if (format == DataFormat::podium) {
    together(context.comm, [&] {
      require_mappable(path);
      data = read_binary_cache(path);
    });
    data = stored_alike(data, path, context.comm);
  } else {
    std::unique_ptr<TextSource> source;
    Surroundings around;
    together(context.comm, [&] {
      source = open_text(path, limits_of(options));
      around = surroundings_of(path, format);
    });
    around.spread = spread;
    data = format == DataFormat::letor
               ? read_letor(*source, options, std::move(around), context)
               : read_csv(*source, separator_of(format), options, std::move(around), context);
  }
  require_queries_apart(data, path, context.comm);
  return data;
}

Dataset part_of_file(const std::string& path, const ReadOptions& options, Context& context) {
  const DataFormat format = data_format(path, options.format);
  if (format == DataFormat::podium) {
    together(context.comm, [&] { require_mappable(path); });
    return part_of_cache(path, context.comm);
  }
  require_cuttable(path);
  std::shared_ptr<const MappedFile> file;
  Surroundings around;
  together(context.comm, [&] {
    file = std::make_shared<const MappedFile>(path);
    around = surroundings_of(path, format);
  });
  require_one_file(path, file->bytes().size(), "bytes", context.comm);
  require_one_file(path, around.query_sizes ? around.query_sizes->size() + 1 : 0,
                   "group sizes (.query or .group file)", context.comm);
  Dataset data = format == DataFormat::letor
                     ? part_of_letor(file, std::move(around), options, context)
                     : part_of_csv(file, separator_of(format), std::move(around), options, context);
  require_queries_apart(data, path, context.comm);
  return data;
}

// Ranks find out together that one of them saw the file change.
template <class Read>
Dataset read_together(const std::string& path, Context& context, Read&& read) {
  context.observer.phase("reading " + path);
  const FileStamp stamp(path);
  try {
    Dataset data = read();
    together(context.comm, [&] { stamp.require_unchanged(); });
    return data;
  } catch (const Error&) {
    stamp.require_unchanged();
    throw;
  }
}

}  // namespace

Dataset read_whole_file(const std::string& path, Spread spread, const ReadOptions& options,
                        Context& context) {
  return read_together(path, context, [&] { return whole_file(path, spread, options, context); });
}

Dataset read_part_of_file(const std::string& path, const ReadOptions& options, Context& context) {
  return read_together(path, context, [&] { return part_of_file(path, options, context); });
}

}  // namespace podium

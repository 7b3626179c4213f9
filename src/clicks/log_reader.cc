// Blocks of a wave are parsed in parallel; a wave is added to the log, in order, while the next one
// is fetched and parsed. So at most two waves of rows are in memory.
#include "clicks/log_reader.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "clicks/log_builder.h"
#include "clicks/session_watch.h"
#include "core/counted.h"
#include "core/file_stamp.h"
#include "core/parse_blocks.h"

namespace podium {
namespace {

constexpr std::size_t kLongestLine = std::size_t{1} << 20;
constexpr std::size_t kWave = 8;  // blocks

// Removes the header's line from the first block.
LogHeader take_header(TextBlock& block, const std::string& file) {
  const std::size_t end = std::min(block.text.find('\n'), block.text.size());
  try {
    std::string_view line = block.text.substr(0, end);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    LogHeader header = parse_log_header(line.substr(0, kLongestLine));
    block.text.remove_prefix(std::min(block.text.size(), end + 1));
    return header;
  } catch (const Error& error) {
    throw Error(error.code(), error.message(), {file, error.where().line});
  }
}

struct LogWave {
  std::vector<LogPiece> pieces;
  std::optional<Error> error;  // that ended fetching
};

// Adds the pieces, and throws the first mistake of the file.
void add_wave(const LogWave& wave, const LogHeader& header, const std::string& file,
              std::size_t& lines, const AddLogPiece& add) {
  for (const LogPiece& piece : wave.pieces) {
    add(piece, header, lines);
    if (piece.error)
      throw Error(piece.error->code(), piece.error->message(),
                  {file, lines + piece.error->where().line});
    lines += piece.lines;
  }
  if (wave.error) throw *wave.error;
}

void note_dropped(const ClickLog& log, const ClickLogOptions& options, Observer& observer) {
  if (log.unmatched > 0)
    observer.note(fmt::format("{} of {} dropped: their documents are not in the data",
                              counted(log.unmatched, "line"), log.lines));
  if (log.too_deep > 0)
    observer.note(fmt::format("{} beyond position {} dropped", counted(log.too_deep, "line"),
                              options.max_position));
  if (log.bots > 0) observer.note(dropped_robots(log.bots, options.max_clicks));
  if (log.scattered > 0) observer.note(scattered_sessions(log.scattered));
  if (log.all_clicked > 0) observer.note(likely_robots(log.all_clicked));
}

}  // namespace

void read_log_pieces(TextSource& source, const std::string& file, const AddLogPiece& add,
                     Context& context) {
  std::size_t lines = 1;
  BlockWave fetched = fetch_wave(source, 1);
  if (fetched.error) throw *fetched.error;
  if (fetched.blocks.empty()) throw Error(ErrorCode::data, "the click log is empty", {file});
  const LogHeader header = take_header(fetched.blocks[0], file);
  LogWave parsed;
  while (!fetched.blocks.empty() || fetched.error || !parsed.pieces.empty()) {
    LogWave parsing{std::vector<LogPiece>(fetched.blocks.size()), fetched.error};
    BlockWave following;
    context.pool.run(fetched.blocks.size() + 2, [&](std::size_t task) {
      if (task == 0) {
        add_wave(parsed, header, file, lines, add);
      } else if (task == 1) {
        if (!fetched.error && !fetched.blocks.empty()) following = fetch_wave(source, kWave);
      } else {
        parsing.pieces[task - 2] =
            parse_log_block(std::move(fetched.blocks[task - 2]), header, kLongestLine);
      }
    });
    parsed = std::move(parsing);
    if (parsed.pieces.empty() && parsed.error) throw *parsed.error;
    fetched = std::move(following);
  }
}

TextLimits log_limits() {
  TextLimits limits;
  limits.max_line_bytes = kLongestLine;
  // A log is read in waves, so its size is limited by the disk, not by memory.
  limits.max_unpacked_bytes = INT64_MAX;
  limits.block_bytes = std::size_t{1} << 20;
  return limits;
}

ClickLog read_click_log(TextSource& source, const std::string& file, const ClickLogOptions& options,
                        const Dataset* data, KeptSessions kept, Context& context) {
  LogBuilder builder(file, options, data, kept);
  read_log_pieces(
      source, file,
      [&](const LogPiece& piece, const LogHeader& header, std::size_t before) {
        builder.add(piece, header, before);
      },
      context);
  try {
    ClickLog log = builder.finish();
    note_dropped(log, options, context.observer);
    return log;
  } catch (const Error& error) {
    throw Error(error.code(), error.message(), {file, error.where().line});
  }
}

ClickLog read_click_log(const std::string& path, const ClickLogOptions& options,
                        const Dataset* data, KeptSessions kept, Context& context) {
  context.observer.phase("reading " + path);
  return read_unchanged(path, [&] {
    return read_click_log(*open_text(path, log_limits()), path, options, data, kept, context);
  });
}

std::string log_docid(const Dataset& data, std::size_t query, std::size_t document) {
  if (data.has_docids()) return std::string(data.docid(document));
  return fmt::format("{}", document - data.begin(query) + 1);
}

const OptionTable<ClickLogOptions>& click_log_option_table() {
  static const auto options =
      OptionTable<ClickLogOptions>()
          .add("drop-unmatched", &ClickLogOptions::drop_unmatched,
               "drop lines of the log whose document is not in the data, instead of refusing them")
          .add("max-clicks", &ClickLogOptions::max_clicks,
               "drop sessions with more clicks, as of robots; 0: none", at_least(0))
          .add("max-position", &ClickLogOptions::max_position,
               "drop lines of later positions; 0: none", at_least(0));
  return options;
}

}  // namespace podium

// Scores files: one number per line. Line n belongs to row n of the data file. Regrouping may have
// moved rows: the document with the smallest input row has the first line, and so on.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "core/counted.h"
#include "core/output_file.h"
#include "data/formats/number_lines.h"
#include "data/formats/write_rows.h"
#include "distributed/gathered.h"
#include "distributed/on_every_rank.h"
#include "podium/data_io.h"
#include "podium/error.h"

namespace podium {
namespace {

// The document of each line.
std::vector<std::size_t> documents_by_line(const Dataset& data) {
  std::vector<std::size_t> documents(data.documents());
  std::iota(documents.begin(), documents.end(), std::size_t{0});
  if (!data.parts().input_rows.empty()) {
    const auto rows = data.parts().input_rows.view();
    std::stable_sort(documents.begin(), documents.end(),
                     [&](std::size_t a, std::size_t b) { return rows[a] < rows[b]; });
  }
  return documents;
}

// The scores of the data, which begin at line `first` of the file's `lines`.
std::vector<double> read_lines(const std::string& path, const Dataset& data, std::size_t first,
                               std::size_t lines) {
  const std::vector<std::size_t> documents = documents_by_line(data);
  std::vector<double> scores(documents.size());
  std::size_t count = 0;
  for_each_number_line(path, [&](std::string_view text, const Place& place) {
    const double score = parse_number_line(text, place);
    if (count >= first && count - first < documents.size())
      scores[documents[count - first]] = score;
    ++count;
  });
  if (count != lines)
    throw Error(ErrorCode::data,
                fmt::format("holds {}, but the data has {}: they must match",
                            counted(count, "score"), counted(lines, "row")),
                {path});
  return scores;
}

}  // namespace

std::vector<double> read_scores(const std::string& path, const Dataset& data) {
  return read_lines(path, data, 0, data.documents());
}

std::vector<double> read_scores_share(const std::string& path, const Dataset& share,
                                      Context& context) {
  std::size_t first = 0, lines = 0;
  const auto counts = gathered(share.documents(), context.comm);
  for (std::size_t r = 0; r < counts.size(); ++r) {
    if (r < static_cast<std::size_t>(context.comm.rank())) first += counts[r];
    lines += counts[r];
  }
  const std::string mine = path_of_rank(path, context.comm.rank());
  std::vector<double> scores;
  on_every_rank(context.comm, [&] {
    scores = mine == path ? read_lines(path, share, first, lines) : read_scores(mine, share);
  });
  return scores;
}

void write_scores(std::span<const double> scores, const Dataset& data, const std::string& path,
                  ThreadPool& pool) {
  if (scores.size() != data.documents())
    throw Error(ErrorCode::data, fmt::format("{} for {}", counted(scores.size(), "score"),
                                             counted(data.documents(), "document")));
  OutputFile file(path);
  const bool moved = !data.parts().input_rows.empty();
  const auto order = moved ? documents_by_line(data) : std::vector<std::size_t>();
  write_rows(
      file, scores.size(),
      [&](std::size_t begin, std::size_t end, fmt::memory_buffer& out) {
        for (std::size_t i = begin; i < end; ++i)
          fmt::format_to(std::back_inserter(out), "{}\n", scores[moved ? order[i] : i]);
      },
      pool, 1024);
  file.commit();
}

}  // namespace podium

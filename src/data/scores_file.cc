// Scores files: one number a line. Line n belongs to row n of the data's file, which regrouping may
// have moved: the smallest input row has the first line, and so on.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "core/output_file.h"
#include "data/number_lines.h"
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

}  // namespace

std::vector<double> read_scores(const std::string& path, const Dataset& data) {
  const std::vector<std::size_t> documents = documents_by_line(data);
  std::vector<double> scores(documents.size());
  std::size_t count = 0;
  for_each_number_line(path, [&](std::string_view text, const Place& place) {
    const double score = parse_number_line(text, place);
    if (count < documents.size()) scores[documents[count]] = score;
    ++count;
  });
  if (count != documents.size())
    throw Error(ErrorCode::data,
                fmt::format("holds {} scores, but the data has {} rows: they must belong together",
                            count, documents.size()),
                {path});
  return scores;
}

void write_scores(std::span<const double> scores, const Dataset& data, const std::string& path) {
  if (scores.size() != data.documents())
    throw Error(ErrorCode::data,
                fmt::format("{} scores for {} documents", scores.size(), data.documents()));
  OutputFile file(path);
  fmt::memory_buffer line;
  for (const std::size_t document : documents_by_line(data)) {
    line.clear();
    fmt::format_to(std::back_inserter(line), "{}\n", scores[document]);
    file.write({line.data(), line.size()});
  }
  file.commit();
}

}  // namespace podium

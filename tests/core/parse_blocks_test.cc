// Text parsed by blocks: one wave for mapped text, several for streams. The first error in the
// order of the text is reported, whichever block is parsed first.
#include "core/parse_blocks.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/output_file.h"
#include "support/temporary_folder.h"

namespace podium::parse_blocks_test {
namespace {

struct CountedLines {
  std::size_t lines = 0;
  std::optional<Error> error;
};

// A line that begins with '!' is wrong.
CountedLines count_lines(const TextBlock& block) {
  CountedLines piece;
  for (std::size_t at = 0; at < block.text.size(); at = block.text.find('\n', at) + 1) {
    ++piece.lines;
    if (block.text[at] == '!' && !piece.error)
      piece.error.emplace(ErrorCode::data, "wrong", Place{"", piece.lines});
  }
  return piece;
}

class ParseBlocks : public ::testing::TestWithParam<const char*> {
 protected:
  static constexpr std::size_t kLines = 3000;

  // The number of lines, or the message; `wrong` lines are marked.
  std::string parsed(const std::vector<std::size_t>& wrong, int threads) const {
    std::string text;
    for (std::size_t line = 1; line <= kLines; ++line) {
      const bool marked = std::find(wrong.begin(), wrong.end(), line) != wrong.end();
      text += (marked ? "!" : "") + std::to_string(line) + '\n';
    }
    const std::string path = folder_.file(GetParam());
    OutputFile file(path);
    file.write(text);
    file.commit();
    const auto source = open_text(path, {.block_bytes = 100});
    ThreadPool pool(threads);
    try {
      const auto pieces = parse_blocks<CountedLines>(
          *source, "f", [](const TextBlock& block) { return count_lines(block); },
          [] { return std::size_t{1000}; }, pool);
      std::size_t lines = 0;
      for (const CountedLines& piece : pieces) lines += piece.lines;
      return std::to_string(lines);
    } catch (const Error& error) {
      return error.what();
    }
  }

 private:
  testing::TemporaryFolder folder_;
};

TEST_P(ParseBlocks, HasEveryLineOnce) {
  for (const int threads : {1, 2, 7}) EXPECT_EQ(parsed({}, threads), std::to_string(kLines));
}

TEST_P(ParseBlocks, ReportsTheFirstWrongLine) {
  for (const int threads : {1, 2, 7}) {
    EXPECT_EQ(parsed({2990, 1500, 40}, threads), "f:1040: wrong");
    EXPECT_EQ(parsed({3000, 2999}, threads), "f:3999: wrong");
    EXPECT_EQ(parsed({1}, threads), "f:1001: wrong");
  }
}

INSTANTIATE_TEST_SUITE_P(MappedAndStreamed, ParseBlocks, ::testing::Values("text", "text.gz"),
                         [](const auto& row) { return row.index == 0 ? "mapped" : "streamed"; });

}  // namespace
}  // namespace podium::parse_blocks_test

// The parallel reader of TREC files against one that reads line by line.
#include "measures/trec_reader.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/output_file.h"
#include "core/random.h"
#include "core/text_scan.h"
#include "data/formats/parse_error.h"
#include "support/temporary_folder.h"
#include "support/toy_data.h"

namespace podium::trec_reader_test {
namespace {

// What a reader returns for a file.
struct Reading {
  std::string error;
  std::map<std::string, std::vector<std::pair<std::string, double>>> topics;
  std::string run_id;

  bool operator==(const Reading&) const = default;
};

std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words(1);
  for (const char c : line) {
    if (!is_blank(c))
      words.back() += c;
    else if (!words.back().empty())
      words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

std::string twice(const Reading& reading,
                  const std::map<std::pair<std::string, std::string>, std::vector<int>>& places) {
  for (const auto& [key, lines] : places)
    if (lines.size() > 1)
      return fmt::format("file:{}: document '{}' of topic '{}' already appeared in line {}",
                         lines[1], shortened(key.second), key.first, lines[0]);
  return reading.topics.empty() ? "file: no run in the file" : "";
}

Reading read_line_by_line(const std::string& text) {
  Reading reading;
  std::map<std::pair<std::string, std::string>, std::vector<int>> places;
  std::istringstream in(text);
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    const std::vector<std::string> words = words_of(line);
    if (words.empty() || words[0][0] == '#') continue;
    if (words.size() < 6)
      return {fmt::format("file:{}: {} of 6 columns: a line of run is `topic Q0 document rank "
                          "score run-id`",
                          number, words.size()),
              {},
              {}};
    double score = 0;
    if (!parse_double(words[4], score))
      return {fmt::format("file:{}: the score '{}' is not a number", number, words[4]), {}, {}};
    reading.topics[words[0]].emplace_back(words[2], score);
    places[{words[0], words[2]}].push_back(number);
    reading.run_id = words[5];
  }
  if (std::string error = twice(reading, places); !error.empty()) return {error, {}, {}};
  return reading;
}

Reading read_in_blocks(const std::string& text, std::size_t block_bytes, int threads) {
  testing::Bench bench(threads);
  TextLimits limits;
  limits.block_bytes = block_bytes;
  Reading reading;
  try {
    const TrecFile file =
        read_trec(*text_in_memory(text, limits), "file", kRunFormat, bench.context);
    for (std::size_t t = 0; t < file.topics(); ++t)
      for (const TrecFile::Line& line : file.lines(t))
        reading.topics[std::string(file.topic(t))].emplace_back(line.document, line.value);
    reading.run_id = file.run_id();
  } catch (const Error& error) {
    reading.error = error.what();
  }
  return reading;
}

// Mostly valid lines, topics in stretches or mixed, and occasionally something else.
class RandomRun {
 public:
  explicit RandomRun(std::uint64_t seed) : random_(seed) {
    mixed_ = random_.below(2);
    wrong_ = random_.below(3) == 0;
    longer_ids_ = random_.below(2);
  }

  std::string text() {
    std::string text;
    const std::size_t lines = random_.below(60);
    for (std::size_t i = 0; i < lines; ++i) text += line(i);
    if (random_.below(2) && text.ends_with('\n')) text.pop_back();
    return text;
  }

 private:
  std::string pick(std::initializer_list<const char*> from) {
    return from.begin()[random_.below(from.size())];
  }
  std::string gap() { return pick({" ", " ", " ", "\t", "  ", "\v\f", " \r"}); }

  std::string document(std::size_t i) {
    if (wrong_ && random_.below(30) == 0) i = random_.below(i + 1);
    std::string id = fmt::format("d{}", i);
    if (longer_ids_) id = pick({"doc-", "\x01", "clueweb-en0000-", "\xC3\xA9t\xC3\xA9-"}) + id;
    return id;
  }

  std::string line(std::size_t i) {
    const std::string end = pick({"\n", "\n", "\r\n", " more columns\n"});
    if (random_.below(15) == 0) return pick({"\n", "\r\n", " \t\n", "# comment\n", " #1 0 a\n"});
    if (wrong_ && random_.below(40) == 0) return pick({"1\n", "1 Q0 a\n", "1 Q0 a 1 2\n"});
    const std::size_t topic = mixed_ ? random_.below(4) : i / 9;
    const std::string score =
        wrong_ && random_.below(40) == 0
            ? pick({"nan", "inf", "1e999", "x", "1.5x", "--1", "+-1", ".", "-"})
            : pick({"0", "-0", "1.5", "+2", ".25", "7.", "1e-3", "123456789.123456789",
                    "0.1234567890123456789", "18446744073709551617", "-6.64614524",
                    "9007199254740993", "4.9e-324"});
    return pick({"", "", " "}) + fmt::format("t{}", topic) + gap() + "Q0" + gap() + document(i) +
           gap() + std::to_string(i) + gap() + score + gap() + pick({"run", "other-run", "r#"}) +
           end;
  }

  Random random_;
  bool mixed_, wrong_, longer_ids_;
};

RC_GTEST_PROP(TrecReader, AgreesWithReadingLineByLine, (std::uint64_t seed)) {
  const std::string text = RandomRun(seed).text();
  const Reading expected = read_line_by_line(text);
  for (const std::size_t block_bytes : {1, 50, 400, 100'000})
    RC_ASSERT(read_in_blocks(text, block_bytes, 1 + static_cast<int>(block_bytes % 3)) == expected);
}

TEST(TrecReader, TheGeneratorReachesEveryOutcome) {
  std::map<std::string, int> seen;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const std::string error = read_line_by_line(RandomRun(seed).text()).error;
    for (const char* part : {"columns", "not a number", "already appeared", "no run"})
      seen[part] += error.find(part) != std::string::npos;
    seen["good"] += error.empty();
  }
  for (const auto& [outcome, count] : seen) EXPECT_GT(count, 0) << outcome;
}

TEST(TrecReader, CompressedFilesReadTheSame) {
  const testing::TemporaryFolder folder;
  testing::Bench bench(2);
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += fmt::format("t{} Q0 d{} 0 {}.5 r\n", i / 9, i, i);
  for (const char* name : {"run", "run.gz", "run.zst"}) {
    OutputFile out(folder.file(name));
    out.write(text);
    out.commit();
    const TrecFile run = read_run(folder.file(name), bench.context);
    ASSERT_EQ(run.topics(), 11'112U) << name;
    std::size_t lines = 0;
    double sum = 0;
    for (std::size_t t = 0; t < run.topics(); ++t)
      for (const TrecFile::Line& line : run.lines(t)) {
        ++lines;
        sum += line.value;
      }
    EXPECT_EQ(lines, 100'000U) << name;
    EXPECT_EQ(sum, 99'999.0 * 50'000 + 50'000) << name;
  }
}

TEST(TrecReader, ReportsTheFirstErrorOfALongFile) {
  std::string text;
  for (int i = 0; i < 5000; ++i)
    text += i == 3000 || i == 4000 ? "t Q0 d\n" : fmt::format("t Q0 d{} 0 1 r\n", i);
  for (const std::size_t block_bytes : {100, 5000})
    EXPECT_THAT(read_in_blocks(text, block_bytes, 3).error,
                ::testing::StartsWith("file:3001: 3 of 6 columns"));
}

TEST(TrecReader, LinesBeyondTheLimitAreRefused) {
  const testing::TemporaryFolder folder;
  testing::Bench bench;
  const std::string path = folder.write(
      "run", "1 Q0 a 1 1 r\n1 Q0 b 2 1 r" + std::string(std::size_t{65} << 20, ' ') + "\n");
  try {
    read_run(path, bench.context);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.where().line, 2U);
    EXPECT_THAT(error.message(), ::testing::HasSubstr("more than 67108864 bytes"));
  }
}

}  // namespace
}  // namespace podium::trec_reader_test

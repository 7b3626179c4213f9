// Rows are written in order, whoever formats them, in any number of regions.
#include "data/formats/write_rows.h"

#include <stdexcept>

#include <gtest/gtest.h>

#include "support/temporary_folder.h"

namespace podium::write_rows_test {
namespace {

std::string written(std::size_t rows, int threads, std::size_t chunk_rows) {
  const testing::TemporaryFolder folder;
  ThreadPool pool(threads);
  OutputFile file(folder.file("rows"));
  write_rows(
      file, rows,
      [](std::size_t begin, std::size_t end, fmt::memory_buffer& out) {
        for (std::size_t i = begin; i < end; ++i) append(out, std::to_string(i) + '\n');
      },
      pool, chunk_rows);
  file.commit();
  return testing::bytes_of_file(folder.file("rows"));
}

TEST(WriteRows, AreInOrder) {
  for (const std::size_t rows : {0U, 1U, 3U, 4U, 5U, 12U, 100U, 1001U}) {
    std::string all;
    for (std::size_t i = 0; i < rows; ++i) all += std::to_string(i) + '\n';
    for (const int threads : {1, 2, 3})
      for (const std::size_t chunk : {1U, 3U, 256U})
        EXPECT_EQ(written(rows, threads, chunk), all) << rows << ' ' << threads << ' ' << chunk;
  }
}

TEST(WriteRows, ErrorsOfTheFormatterAreThrown) {
  const testing::TemporaryFolder folder;
  ThreadPool pool(2);
  OutputFile file(folder.file("rows"));
  const auto format = [](std::size_t begin, std::size_t, fmt::memory_buffer&) {
    if (begin == 50) throw std::runtime_error("row 50");
  };
  EXPECT_THROW(write_rows(file, 100, format, pool, 1), std::runtime_error);
}

}  // namespace
}  // namespace podium::write_rows_test

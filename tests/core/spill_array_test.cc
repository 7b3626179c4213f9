#include "core/spill_array.h"

#include <cstdlib>
#include <filesystem>
#include <limits>

#include <gtest/gtest.h>

#include "podium/error.h"

namespace podium::spill_array_test {
namespace {

TEST(SpillArray, IsTheSameInMemoryAndInAFile) {
  for (const Storage storage : {Storage::memory, Storage::file}) {
    SpillArray<std::uint32_t> numbers(100000, storage);
    EXPECT_EQ(numbers[99999], 0U);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::uint32_t>(3 * i);
    SpillArray<std::uint32_t> moved(std::move(numbers));
    numbers = SpillArray<std::uint32_t>(3, storage);
    numbers = std::move(moved);
    EXPECT_EQ(numbers.view()[99999], 299997U);
  }
  EXPECT_EQ(SpillArray<char>(0, Storage::file).data(), nullptr);
}

TEST(SpillArray, LeavesNoFileBehind) {
  std::string folder = (std::filesystem::temp_directory_path() / "podium-XXXXXX").string();
  ASSERT_TRUE(mkdtemp(folder.data()));
  const char* before = std::getenv("TMPDIR");
  const std::string old = before ? before : "";
  setenv("TMPDIR", folder.c_str(), 1);
  const SpillArray<char> array(1 << 20, Storage::file);
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  // More than any disk has.
  EXPECT_THROW(SpillArray<char>(std::numeric_limits<std::ptrdiff_t>::max(), Storage::file), Error);
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  if (before)
    setenv("TMPDIR", old.c_str(), 1);
  else
    unsetenv("TMPDIR");
  std::filesystem::remove(folder);
}

TEST(SpillArray, OnlyLargeOnesGoToFiles) {
  EXPECT_EQ(storage_for(1000), Storage::memory);
  EXPECT_EQ(storage_for(std::numeric_limits<std::uint64_t>::max()), Storage::file);
}

}  // namespace
}  // namespace podium::spill_array_test

#include "core/processor_quota.h"

#include <cmath>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "podium/thread_pool.h"

namespace podium::processor_quota_test {
namespace {

// A folder of control groups, as the system would show it.
class Groups : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* const test = ::testing::UnitTest::GetInstance()->current_test_info();
    root_ = std::filesystem::path(::testing::TempDir()) / (std::string("groups_") + test->name());
    std::filesystem::remove_all(root_);
    std::filesystem::create_directories(root_);
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void write(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  double quota(const std::string& membership) const {
    write("membership", membership);
    return processor_quota((root_ / "membership").string(), root_.string());
  }

 private:
  std::filesystem::path root_;
};

TEST_F(Groups, WithoutAQuotaThereIsNoLimit) {
  write("a/cpu.max", "max 100000\n");
  EXPECT_TRUE(std::isinf(quota("0::/a\n")));
  EXPECT_TRUE(std::isinf(quota("")));
  EXPECT_TRUE(std::isinf(quota("nonsense\n0:\n")));
}

TEST_F(Groups, OfVersionTwoTheSmallestOnTheWayUpCounts) {
  write("a/cpu.max", "150000 100000\n");
  write("a/b/cpu.max", "400000 100000\n");
  write("a/b/c/cpu.max", "max 100000\n");
  EXPECT_DOUBLE_EQ(quota("0::/a/b/c\n"), 1.5);
}

TEST_F(Groups, OfAContainerTheRootCounts) {
  write("cpu.max", "300000 100000\n");
  EXPECT_DOUBLE_EQ(quota("0::/not/seen/inside\n"), 3);
}

TEST_F(Groups, OfVersionOneTheControllerOfProcessorsCounts) {
  write("cpu/jobs/cpu.cfs_quota_us", "250000\n");
  write("cpu/jobs/cpu.cfs_period_us", "50000\n");
  write("cpu/other/cpu.cfs_quota_us", "50000\n");
  write("cpu/other/cpu.cfs_period_us", "50000\n");
  EXPECT_DOUBLE_EQ(quota("4:memory:/other\n3:cpu,cpuacct:/jobs\n2:cpuset:/other\n"), 5);
  write("cpu/jobs/cpu.cfs_quota_us", "-1\n");
  EXPECT_TRUE(std::isinf(quota("3:cpu,cpuacct:/jobs\n")));
}

TEST(AvailableProcessors, IsAtLeastOne) {
  EXPECT_GE(available_processors(), 1);
}

}  // namespace
}  // namespace podium::processor_quota_test

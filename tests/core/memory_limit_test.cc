#include "core/memory_limit.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace podium::memory_limit_test {
namespace {

// A system's files in a temporary folder.
class System {
 public:
  System() {
    std::string name = (std::filesystem::temp_directory_path() / "podium-XXXXXX").string();
    root_ = mkdtemp(name.data());
    write("/proc/meminfo", "MemTotal: 9000 kB\nMemAvailable:    8000 kB\n");
  }
  ~System() { std::filesystem::remove_all(root_); }
  void write(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories((root_ + path).substr(0, (root_ + path).rfind('/')));
    std::ofstream(root_ + path) << text;
  }
  std::uint64_t limit() const { return memory_limit(root_); }

 private:
  std::string root_;
};

TEST(MemoryLimit, IsTheAvailableMemoryOfTheSystem) {
  EXPECT_EQ(System().limit(), 8000U * 1024);
}

TEST(MemoryLimit, IsThatOfTheGroupOrAParent) {
  const System system;
  system.write("/proc/self/cgroup", "0::/jobs/mine\n");
  system.write("/sys/fs/cgroup/jobs/mine/memory.max", "max\n");
  EXPECT_EQ(system.limit(), 8000U * 1024);
  system.write("/sys/fs/cgroup/jobs/memory.max", "5000000\n");
  EXPECT_EQ(system.limit(), 5000000U);
  system.write("/sys/fs/cgroup/jobs/mine/memory.max", "4000000\n");
  EXPECT_EQ(system.limit(), 4000000U);
}

TEST(MemoryLimit, SupportsVersion1Groups) {
  const System system;
  system.write("/proc/self/cgroup", "5:cpu:/\n4:memory:/jobs/mine\n0::/\n");
  system.write("/sys/fs/cgroup/memory/jobs/mine/memory.stat",
               "cache 1\nhierarchical_memory_limit 3000000\nhierarchical_memsw_limit 7\n");
  EXPECT_EQ(system.limit(), 3000000U);
}

TEST(MemoryLimit, IsKnownOnThisMachine) {
  EXPECT_GT(memory_limit(), std::uint64_t{1} << 20);
}

}  // namespace
}  // namespace podium::memory_limit_test

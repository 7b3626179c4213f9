#include "core/memory_limit.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>

#include <sys/resource.h>

namespace podium {
namespace {

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

// The number after `key`, or the first one of the file if `key` is empty.
std::uint64_t number_in(const std::string& path, const std::string& key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.compare(0, key.size(), key) != 0) continue;
    const std::size_t at = line.find_first_of("0123456789", key.size());
    if (at == line.npos) break;  // "max"
    std::uint64_t number = kNoLimit;
    std::from_chars(line.data() + at, line.data() + line.size(), number);
    return number;
  }
  return kNoLimit;
}

std::uint64_t left_in_system(const std::string& root) {
  const std::uint64_t kilobytes = number_in(root + "/proc/meminfo", "MemAvailable:");
  return kilobytes == kNoLimit ? kNoLimit : 1024 * kilobytes;
}

// The limits of the group and of all its parents. A container may see its own group as the root.
std::uint64_t unified_limit(const std::string& root, std::string group) {
  std::uint64_t limit = kNoLimit;
  for (;;) {
    limit = std::min(limit, number_in(root + "/sys/fs/cgroup" + group + "/memory.max", ""));
    if (group.empty()) return limit;
    group.resize(group.rfind('/'));
  }
}

std::uint64_t group_limit(const std::string& root) {
  std::uint64_t limit = kNoLimit;
  std::ifstream groups(root + "/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t path = line.find(":/");  // hierarchy:controllers:/path
    if (path == line.npos) continue;
    std::string group = line.substr(path + 1);
    if (group == "/") group.clear();
    if (line.compare(0, 3, "0::") == 0) {
      limit = std::min(limit, unified_limit(root, group));
    } else if (line.find(":memory:") != line.npos) {
      const std::string folder = root + "/sys/fs/cgroup/memory", key = "hierarchical_memory_limit";
      limit = std::min({limit, number_in(folder + group + "/memory.stat", key),
                        number_in(folder + "/memory.stat", key)});
    }
  }
  return limit;
}

std::uint64_t resource_limit(int resource) {
  rlimit limit{};
  const bool known = getrlimit(static_cast<__rlimit_resource_t>(resource), &limit) == 0;
  return known && limit.rlim_cur != RLIM_INFINITY ? limit.rlim_cur : kNoLimit;
}

}  // namespace

std::uint64_t memory_limit(const std::string& root) {
  return std::min({left_in_system(root), group_limit(root), resource_limit(RLIMIT_DATA),
                   resource_limit(RLIMIT_AS)});
}

}  // namespace podium

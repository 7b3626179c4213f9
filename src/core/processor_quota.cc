#include "core/processor_quota.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string_view>

namespace podium {
namespace {

constexpr double kNoQuota = std::numeric_limits<double>::infinity();

// Version 2: "200000 100000" or "max 100000".
double quota_of_file(const std::string& path) {
  std::ifstream file(path);
  double quota = 0, period = 0;
  return file >> quota >> period && quota > 0 && period > 0 ? quota / period : kNoQuota;
}

// Version 1: one number per file, −1 for no quota.
double quota_of_files(const std::string& folder) {
  std::ifstream quota_file(folder + "/cpu.cfs_quota_us"),
      period_file(folder + "/cpu.cfs_period_us");
  double quota = 0, period = 0;
  return quota_file >> quota && period_file >> period && quota > 0 && period > 0 ? quota / period
                                                                                 : kNoQuota;
}

// Whether "cpu" is in a list like "cpu,cpuacct".
bool names_cpu(std::string_view controllers) {
  while (!controllers.empty()) {
    const std::size_t comma = std::min(controllers.find(','), controllers.size());
    if (controllers.substr(0, comma) == "cpu") return true;
    controllers.remove_prefix(std::min(comma + 1, controllers.size()));
  }
  return false;
}

// The smallest quota from the group up to the root. Inside a container the group's path may not
// exist below the root that is seen there; the root's own file then counts.
template <class Quota>
double smallest_quota(const std::string& root, std::string group, Quota&& quota_in) {
  double smallest = quota_in(root);
  while (group.size() > 1) {
    smallest = std::min(smallest, quota_in(root + group));
    group.resize(group.rfind('/'));
  }
  return smallest;
}

}  // namespace

// Lines are "number:controllers:/path"; version 2 has one line, "0::/path".
double processor_quota(const std::string& membership, const std::string& root) {
  double smallest = kNoQuota;
  std::ifstream lines(membership);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos || !line.substr(second + 1).starts_with('/')) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string group = line.substr(second + 1);
    if (controllers.empty())
      smallest = std::min(smallest, smallest_quota(root, group, [](const std::string& folder) {
                            return quota_of_file(folder + "/cpu.max");
                          }));
    else if (names_cpu(controllers))
      smallest = std::min(smallest, smallest_quota(root + "/cpu", group, quota_of_files));
  }
  return smallest;
}

}  // namespace podium

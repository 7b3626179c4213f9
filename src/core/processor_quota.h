// How many processors the control groups (Linux's cgroups, versions 1 and 2) of this process let it
// use.
#pragma once

#include <string>

namespace podium {

// The smallest quota of the group and of those above it, in processors; infinity where none is set.
// `membership` is a file like /proc/self/cgroup, `root` a folder like /sys/fs/cgroup.
double processor_quota(const std::string& membership, const std::string& root);

}  // namespace podium

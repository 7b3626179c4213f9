// Runs each kernel once after a warm-up run, between requests to callgrind to start counting and to
// dump the counts: podium_guard [--list | KERNEL…]. Prints a line of JSON that describes the runs;
// benchmarks/guard/check.py reads it with callgrind's files.
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <valgrind/callgrind.h>

#include "core/vector_target.h"
#include "guard/kernels.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr WorkloadSize kSmall{.queries = 30, .text_queries = 3, .trees = 30};

void count(const KernelEntry& entry, Workload& workload, nlohmann::ordered_json& items) {
  const Kernel kernel = entry.make(workload);
  kernel.run();
  CALLGRIND_START_INSTRUMENTATION;
  CALLGRIND_ZERO_STATS;
  kernel.run();
  CALLGRIND_DUMP_STATS_AT(entry.name.data());
  CALLGRIND_STOP_INSTRUMENTATION;
  items[std::string(entry.name)] = kernel.work.items;
}

void run(std::span<const std::string_view> names) {
  Workload workload(kSmall);
  nlohmann::ordered_json items;
  if (names.empty())
    for (const KernelEntry& entry : kernel_entries()) count(entry, workload, items);
  else
    for (const std::string_view name : names) count(find_kernel(name), workload, items);
  const nlohmann::ordered_json said = {{"compiler", PODIUM_COMPILER},
                                       {"vectors", vector_target_name(vector_target())},
                                       {"items", items}};
  fmt::print("{}\n", said.dump());
}

}  // namespace
}  // namespace podium

int main(int argc, char** argv) {
  const std::vector<std::string_view> arguments(argv + 1, argv + argc);
  if (arguments.size() == 1 && arguments[0] == "--list") {
    for (const podium::KernelEntry& entry : podium::kernel_entries())
      fmt::print("{:<18} a {}\n", entry.name, entry.item);
    return 0;
  }
  try {
    podium::run(arguments);
  } catch (const podium::Error& error) {
    fmt::print(stderr, "podium_guard: {}\n", error.what());
    return 2;
  }
  return 0;
}

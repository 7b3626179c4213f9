#include "distributed/mpi/mpi_module.h"

#include <cstdlib>
#include <filesystem>
#include <utility>

#include <dlfcn.h>
#include <fmt/format.h>

#include "podium/error.h"

namespace podium {
namespace {

constexpr const char* kModule = "podium_mpi.so";

// The module's path, or "" if this build has none.
std::string module_path() {
  std::error_code failed;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (failed) return {};
  const auto folder = program.parent_path();
  for (const auto& path : {folder / kModule, folder / PODIUM_MODULE_FOLDER / kModule})
    if (std::filesystem::is_regular_file(path, failed)) return path.string();
  return {};
}

}  // namespace

MpiLaunch find_mpi_launch() {
  const auto number = [](const char* name) {
    const char* const text = name ? std::getenv(name) : nullptr;
    return text ? std::atoi(text) : 0;
  };
  constexpr std::pair<const char*, const char*> kNames[] = {
      {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
      {"PMI_RANK", "PMI_SIZE"},
      {"PMIX_RANK", nullptr}};
  for (const auto& [rank, size] : kNames)
    if (std::getenv(rank)) return {true, number(rank), number(size)};
  return {};
}

MpiCalls& load_mpi() {
  const std::string path = module_path();
  if (path.empty())
    throw Error(ErrorCode::usage,
                "started by mpirun, but this build of podium has no MPI: install libopenmpi-dev "
                "and rebuild, or start it without mpirun");
  // MPI loads plugins that look for its symbols among the global ones.
  void* const module = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (!module) throw Error(ErrorCode::file, fmt::format("cannot load MPI: {}", dlerror()));
  auto* const function = reinterpret_cast<MpiCallsFunction*>(dlsym(module, kMpiCallsFunction));
  MpiCalls* const calls = function ? function(kMpiCallsVersion) : nullptr;
  if (!calls)
    throw Error(ErrorCode::file, "belongs to another version of podium: rebuild both", {path});
  return *calls;
}

std::string mpi_version() {
  if (module_path().empty()) return "none (built without MPI)";
  try {
    const std::string text = load_mpi().library();
    return text.substr(0, text.find_first_of(",\n"));
  } catch (const Error& error) {
    return fmt::format("none ({})", error.what());
  }
}

}  // namespace podium

#include "experiments/automatic/run_folder.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "core/output_file.h"
#include "models/file/json_text.h"
#include "podium/error.h"

namespace podium {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Json identity_in(const fs::path& file) {
  std::ifstream in(file);
  return Json::parse(in, nullptr, false);
}

void require_same_run(const Json& known, const Json& wanted, const fs::path& path) {
  if (!known.is_object())
    throw Error(ErrorCode::data, "auto.json is damaged: give a new folder", {path.string()});
  for (const auto& [key, value] : wanted.items())
    if (!known.contains(key) || known[key] != value)
      throw Error(ErrorCode::usage,
                  fmt::format("the folder has a run with another {} ({}, now {}): give a new one",
                              key, known.contains(key) ? known[key].dump() : "none", value.dump()),
                  {path.string()});
}

}  // namespace

RunFolder::RunFolder(fs::path path, const Json& identity) : path_(std::move(path)) {
  if (path_.empty()) return;
  const bool known = fs::exists(path_ / "auto.json");
  if (fs::exists(path_) && (!fs::is_directory(path_) || (!known && !fs::is_empty(path_))))
    throw Error(ErrorCode::usage, "‹output› names something else: give a new or an empty folder",
                {path_.string()});
  if (known) require_same_run(identity_in(path_ / "auto.json"), identity, path_);
  std::error_code error;
  fs::create_directories(path_ / "cells", error);
  if (error)
    throw Error(ErrorCode::file, "the folder cannot be made: " + error.message(), {path_.string()});
  lock_ = open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (lock_ < 0 || flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    const std::string why = lock_ >= 0 && errno == EWOULDBLOCK
                                ? "another run is using this folder"
                                : std::string("cannot be locked: ") + std::strerror(errno);
    if (lock_ >= 0) close(lock_);
    throw Error(ErrorCode::file, why, {path_.string()});
  }
  for (const auto& entry : fs::directory_iterator(path_ / "cells", error))
    if (entry.path().extension() == ".tmp") fs::remove(entry.path(), error);
  if (!known) write("auto.json", identity);
}

RunFolder::~RunFolder() {
  if (lock_ >= 0) close(lock_);
}

void RunFolder::write(const std::string& name, const Json& content) const {
  if (path_.empty()) return;
  OutputFile file((path_ / name).string());
  file.write(to_text(content) + "\n");
  file.commit();
}

}  // namespace podium

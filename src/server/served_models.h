// The models that a server offers, by name. A file that changes is reloaded: requests use the old
// model or the new one, never a mixture, and if a file cannot be loaded, the old model stays, with
// the reason.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "podium/compiled_model.h"

namespace podium {

// "NAME=FILE", or a file; the name is then that of the file without folder and suffixes.
struct NamedModelFile {
  std::string name, path;
};
NamedModelFile parse_model_argument(const std::string& argument);

struct ServedModel {
  std::string name, path;
  std::shared_ptr<const CompiledModel> model;
  std::chrono::system_clock::time_point loaded;
  std::string problem;         // why the current file is not in use; or ""
  std::uint64_t failures = 0;  // of reloading it
};

class ServedModels {
 public:
  // Throws an Error if a file cannot be loaded or two have the same name, or for the device.
  explicit ServedModels(const std::vector<NamedModelFile>& files, const Device& device = {});

  // By name; "" is the first. nullptr if there is none.
  std::shared_ptr<const CompiledModel> find(std::string_view name) const;
  // The name of the model for "".
  const std::string& first() const noexcept { return names_.front(); }
  const std::vector<std::string>& names() const noexcept { return names_; }
  std::vector<ServedModel> all() const;

  // Reloads files that have changed. Reports each with a line.
  void refresh(const std::function<void(const std::string&)>& say);

 private:
  // Changes whenever the file is replaced or written to.
  struct Stamp {
    std::uint64_t device = 0, inode = 0;
    std::int64_t bytes = 0, seconds = 0, nanoseconds = 0;
    bool operator==(const Stamp&) const = default;
  };
  static std::optional<Stamp> stamp_of(const std::string& path);

  Device device_;
  mutable std::mutex mutex_;  // for models_
  std::vector<std::string> names_;
  std::vector<ServedModel> models_;
  std::vector<std::optional<Stamp>> stamps_;  // of the files when last checked; only for refresh()
};

}  // namespace podium

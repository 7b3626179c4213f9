#include "server/served_models.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>

#include "podium/error.h"

namespace podium {
namespace {

bool is_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '-' || c == '_' || c == '.';
  });
}

// A pipe in place of the file would block the reader forever.
std::shared_ptr<const CompiledModel> load(const std::string& path, const Device& device) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw Error(ErrorCode::file, "is not a regular file", {path});
  return std::make_shared<const CompiledModel>(load_model(path), device);
}

}  // namespace

NamedModelFile parse_model_argument(const std::string& argument) {
  const std::size_t equals = argument.find('=');
  if (equals != argument.npos && is_name(std::string_view(argument).substr(0, equals)))
    return {argument.substr(0, equals), argument.substr(equals + 1)};
  std::string stem = std::filesystem::path(argument).filename().string();
  for (const std::string_view ending : {".gz", ".zst", ".json"})
    if (stem.ends_with(ending) && stem.size() > ending.size())
      stem.resize(stem.size() - ending.size());
  return {stem, argument};
}

ServedModels::ServedModels(const std::vector<NamedModelFile>& files, const Device& device)
    : device_(device) {
  for (const auto& [name, path] : files) {
    if (std::find(names_.begin(), names_.end(), name) != names_.end())
      throw Error(ErrorCode::usage,
                  fmt::format("two models are called {}: name them with ‹model NAME=FILE›", name));
    stamps_.push_back(stamp_of(path));
    names_.push_back(name);
    models_.push_back({name, path, load(path, device_), std::chrono::system_clock::now(), {}, 0});
  }
  if (models_.empty()) throw Error(ErrorCode::usage, "no model to serve: ‹model FILE›");
}

std::optional<ServedModels::Stamp> ServedModels::stamp_of(const std::string& path) {
  struct stat about {};
  if (stat(path.c_str(), &about) != 0) return std::nullopt;
  return Stamp{about.st_dev, about.st_ino, about.st_size, about.st_mtim.tv_sec,
               about.st_mtim.tv_nsec};
}

std::shared_ptr<const CompiledModel> ServedModels::find(std::string_view name) const {
  const std::scoped_lock lock(mutex_);
  if (name.empty()) return models_.front().model;
  for (const ServedModel& served : models_)
    if (served.name == name) return served.model;
  return nullptr;
}

std::vector<ServedModel> ServedModels::all() const {
  const std::scoped_lock lock(mutex_);
  return models_;
}

void ServedModels::refresh(const std::function<void(const std::string&)>& say) {
  for (std::size_t m = 0; m < names_.size(); ++m) {
    const std::string& path = models_[m].path;  // never changes
    std::optional<Stamp> stamp = stamp_of(path);
    if (stamp == stamps_[m]) continue;
    stamps_[m] = stamp;
    std::shared_ptr<const CompiledModel> fresh;
    std::string problem;
    try {
      fresh = load(path, device_);
    } catch (const Error& error) {
      problem = error.what();
    }
    {
      const std::scoped_lock lock(mutex_);
      ServedModel& served = models_[m];
      served.problem = problem;
      if (fresh) {
        served.model = std::move(fresh);
        served.loaded = std::chrono::system_clock::now();
      } else {
        ++served.failures;
      }
    }
    say(problem.empty() ? fmt::format("model {}: reloaded from {}", names_[m], path)
                        : fmt::format("model {}: the old one is kept, {}", names_[m], problem));
  }
}

}  // namespace podium

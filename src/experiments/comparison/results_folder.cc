#include "experiments/comparison/results_folder.h"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "core/output_file.h"
#include "experiments/comparison/comparison_identity.h"
#include "models/file/json_text.h"
#include "podium/error.h"

namespace podium {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kSubfolders[] = {"cells", "models", "per-query"};

std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void make_folder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error)
    throw Error(ErrorCode::file, "the folder cannot be created: " + error.message(),
                {path.string()});
}

void remove_unfinished_in(const fs::path& folder) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().extension() == ".tmp") fs::remove(entry.path(), ignored);
}

// Whether a finished cell has its values and its model; a power failure may leave files empty.
bool is_whole(const CellRecord& cell, const std::vector<std::string>& measures,
              const fs::path& model) {
  if (cell.per_query.size() != measures.size()) return false;
  for (const char* part : {"train", "valid", "test"})
    for (const std::string& measure : measures)
      if (!cell.shown.contains(part) || !cell.shown[part].contains(measure)) return false;
  std::error_code error;
  const auto bytes = fs::file_size(model, error);
  return !error && bytes > 0;
}

}  // namespace

ResultsFolder::ResultsFolder(fs::path path) : path_(std::move(path)) {
  if (fs::exists(path_) && !fs::is_directory(path_))
    throw Error(ErrorCode::usage, "-o names a file: a comparison needs a folder", {path_.string()});
  if (fs::exists(path_) && !fs::is_empty(path_) && !fs::exists(path_ / "results.json") &&
      !fs::exists(path_ / "cells"))
    throw Error(ErrorCode::usage,
                "-o names a folder that contains other files: give a new or an empty one",
                {path_.string()});
  make_folder(path_);
  lock_ = open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (lock_ < 0 || flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    const bool busy = lock_ >= 0 && errno == EWOULDBLOCK;
    const std::string why = busy ? "another comparison is using this folder"
                                 : std::string("cannot be locked: ") + std::strerror(errno);
    if (lock_ >= 0) close(lock_);
    throw Error(ErrorCode::file, why, {path_.string()});
  }
  remove_unfinished_in(path_);
  for (const char* folder : kSubfolders) {
    make_folder(path_ / folder);
    remove_unfinished_in(path_ / folder);
  }
}

ResultsFolder::~ResultsFolder() {
  close(lock_);
}

void ResultsFolder::require_same_comparison(const ComparisonPlan& plan) const {
  const fs::path file = path_ / "results.json";
  if (!fs::exists(file)) {
    if (fs::is_empty(path_ / "cells")) return;
    throw Error(ErrorCode::usage,
                "the folder has finished cells but no results.json that describes them: give "
                "another folder",
                {path_.string()});
  }
  const Json old = Json::parse(text_of(file), nullptr, false);
  if (!old.is_object())
    throw Error(ErrorCode::usage,
                "is empty or damaged, so nothing describes the folder's finished cells: give "
                "another folder with -o",
                {file.string()});
  const std::string why = why_another(old, plan);
  if (!why.empty())
    throw Error(
        ErrorCode::usage,
        fmt::format("the folder holds another comparison: {}; give another folder with -o", why),
        {path_.string()});
}

std::string ResultsFolder::cell_name(const ComparisonPlan& plan, std::size_t system,
                                     std::size_t fold, std::size_t seed) {
  const std::string name =
      fmt::format("{}.{}", plan.systems[system].file_name, plan.design->folds()[fold]);
  return seed == 0 ? name : fmt::format("{}.seed{}", name, seed + 1);
}

std::string ResultsFolder::model_path(const std::string& cell) const {
  return (path_ / "models" / (cell + ".json")).string();
}

void ResultsFolder::load_cells(const ComparisonPlan& plan, CellTable& cells) const {
  for (std::size_t s = 0; s < plan.systems.size(); ++s)
    for (std::size_t f = 0; f < plan.folds(); ++f)
      for (std::size_t seed = 0; seed < plan.seeds(); ++seed) {
        const std::string name = cell_name(plan, s, f, seed);
        const fs::path file = path_ / "cells" / (name + ".json");
        if (!fs::exists(file)) continue;
        auto cell = cell_from_json(text_of(file), plan.version);
        const bool fits = cell && cell->system == plan.systems[s].name &&
                          cell->fold == plan.design->folds()[f] && cell->seed == plan.seed + seed &&
                          (!cell->done() || is_whole(*cell, plan.labels, model_path(name)));
        if (fits) cells.at(s, f, seed) = std::move(cell);
      }
}

void ResultsFolder::save_cell(const std::string& cell, const CellRecord& record,
                              const std::string& version) {
  write_file((path_ / "cells" / (cell + ".json")).string(), to_json(record, version));
}

void ResultsFolder::write_per_query(const ComparisonPlan& plan, const CellTable& cells) {
  for (std::size_t f = 0; f < plan.folds(); ++f) {
    OutputFile file((path_ / "per-query" / (plan.design->folds()[f] + ".tsv")).string());
    file.write(fmt::format("name\tqid\t{}\n", fmt::join(plan.labels, "\t")));
    for (std::size_t s = 0; s < plan.systems.size(); ++s) {
      const auto& cell = cells.at(s, f, 0);
      if (!cell || !cell->done()) continue;
      for (std::size_t q = 0; q < cell->queries.size(); ++q) {
        std::string line = fmt::format("{}\t{}", cell->system, cell->queries[q]);
        for (const auto& values : cell->per_query)
          line += std::isnan(values[q]) ? "\t" : fmt::format("\t{}", values[q]);
        file.write(line + "\n");
      }
    }
    file.commit();
  }
}

void ResultsFolder::write_results(const Json& results) {
  write_file((path_ / "results.json").string(), to_text(results) + "\n");
}

void ResultsFolder::write_resources(const std::string& text) {
  write_file((path_ / "resources.json").string(), text);
}

std::string ResultsFolder::resources() const {
  return text_of(path_ / "resources.json");
}

}  // namespace podium

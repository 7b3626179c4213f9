// The folder of an `auto` run: auto.json says which run it is, cells/ has the training runs,
// log.json what a replay needs, summary.json the result. A lock keeps a second process out.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

namespace podium {

class RunFolder {
 public:
  // "": nothing is kept. Throws a usage Error if the folder is of another run, or of something
  // else, and a file Error if another process uses it.
  RunFolder(std::filesystem::path path, const nlohmann::ordered_json& identity);
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  std::filesystem::path cells() const { return path_.empty() ? path_ : path_ / "cells"; }
  void write(const std::string& name, const nlohmann::ordered_json& content) const;

 private:
  std::filesystem::path path_;
  int lock_ = -1;
};

}  // namespace podium

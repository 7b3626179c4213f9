// How data files are read from the command line: the reader's options, and the reading itself.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "core/file_name.h"
#include "podium/data_io.h"
#include "podium/model.h"

namespace podium::cli {

class DataOptions {
 public:
  void add(CLI::App& command);
  ReadOptions options() const;
  Assignments given() const { return fields_.given(); }
  // Of the features only these, a list as parse_feature_list reads it, will be used; "": all.
  void need_only(std::string_view features);
  Dataset read(const std::string& path, Context& context) const;
  // For scoring with models: columns have the types of the training data, unless options specify
  // others.
  Dataset read_for(std::span<const SavedModel> models, const std::string& path,
                   Context& context) const;
  // The same for a rank's part of the data; `models`: the one that training continues, or none.
  Dataset read_share_for(std::span<const SavedModel> models, const std::string& path,
                         Context& context) const;

 private:
  ReadOptions options_for(std::span<const SavedModel> models) const;

  FieldOptions fields_;
  std::vector<std::string> needed_;
};

// "60 queries, 480 documents, 46 features".
std::string size_text(const Dataset& data);

// Whether a path has the suffix of a model: .json, .json.zst, .json.gz.
bool is_model_path(const std::string& path);

}  // namespace podium::cli

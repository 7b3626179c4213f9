#include "cli/data_options.h"

#include <fmt/format.h>

#include "core/counted.h"
#include "data/formats/column_options.h"

namespace podium::cli {

void DataOptions::add(CLI::App& command) {
  fields_.add(command, read_option_table().fields(), "Reading data");
}

ReadOptions DataOptions::options() const {
  const auto& table = read_option_table();
  return table.read(Settings(table.fields(), fields_.given()));
}

Dataset DataOptions::read(const std::string& path, Context& context) const {
  require_columns_used(options(), {path});
  return read_dataset(path, options(), context);
}

Dataset DataOptions::read_share(const std::string& path, Context& context) const {
  return podium::read_share(path, options(), context);
}

std::string size_text(const Dataset& data) {
  return fmt::format("{}, {}, {}", counted(data.queries(), "query"),
                     counted(data.documents(), "document"), counted(data.features(), "feature"));
}

bool is_model_path(const std::string& path) {
  return path.ends_with(".json") || path.ends_with(".json.zst") || path.ends_with(".json.gz");
}

}  // namespace podium::cli

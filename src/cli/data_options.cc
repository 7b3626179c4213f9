#include "cli/data_options.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/counted.h"
#include "data/formats/column_options.h"

namespace podium::cli {
namespace {

// The categories of any model, and the columns that all of them ignore.
std::vector<std::pair<std::string, FeatureType>> types_of(std::span<const SavedModel> models) {
  std::vector<std::pair<std::string, FeatureType>> types;
  for (const SavedModel& model : models) {
    for (const auto& category : model.schema.categories())
      types.emplace_back(model.features[category.feature], FeatureType::category);
    for (const std::string& name : model.schema.ignored()) {
      const bool is_used = std::any_of(models.begin(), models.end(), [&](const SavedModel& other) {
        return std::find(other.features.begin(), other.features.end(), name) !=
               other.features.end();
      });
      if (!is_used) types.emplace_back(name, FeatureType::ignored);
    }
  }
  return types;
}

}  // namespace

void DataOptions::add(CLI::App& command) {
  fields_.add(command, read_option_table().fields(), "Reading data");
}

ReadOptions DataOptions::options() const {
  const auto& table = read_option_table();
  ReadOptions options = table.read(Settings(table.fields(), fields_.given()));
  options.needed = needed_;
  return options;
}

void DataOptions::need_only(std::string_view features) {
  needed_.clear();
  while (!features.empty()) {
    const std::size_t comma = std::min(features.find(','), features.size());
    const std::size_t begin = std::min(features.find_first_not_of(' '), comma);
    std::string_view item = features.substr(begin, comma - begin);
    while (item.ends_with(' ')) item.remove_suffix(1);
    needed_.emplace_back(item);
    features.remove_prefix(std::min(comma + 1, features.size()));
  }
}

Dataset DataOptions::read(const std::string& path, Context& context) const {
  require_columns_used(options(), {path});
  return read_dataset(path, options(), context);
}

Dataset DataOptions::read_for(std::span<const SavedModel> models, const std::string& path,
                              Context& context) const {
  require_columns_used(options(), {path});
  ReadOptions reading = options_for(models);
  for (const SavedModel& model : models)
    reading.needed.insert(reading.needed.end(), model.features.begin(), model.features.end());
  return read_dataset(path, reading, context);
}

Dataset DataOptions::read_share_for(std::span<const SavedModel> models, const std::string& path,
                                    Context& context) const {
  return read_share(path, options_for(models), context);
}

ReadOptions DataOptions::options_for(std::span<const SavedModel> models) const {
  ReadOptions reading = options();
  reading.expected = types_of(models);
  return reading;
}

std::string size_text(const Dataset& data) {
  return fmt::format("{}, {}, {}", counted(data.queries(), "query"),
                     counted(data.documents(), "document"), counted(data.features(), "feature"));
}

bool is_model_path(const std::string& path) {
  return path.ends_with(".json") || path.ends_with(".json.zst") || path.ends_with(".json.gz");
}

}  // namespace podium::cli

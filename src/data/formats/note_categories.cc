#include "data/formats/note_categories.h"

#include <vector>

#include <fmt/format.h>

namespace podium {

void note_categories(const Dataset& data, const std::string& path, Observer& observer) {
  if (data.schema().all_numbers()) return;
  std::vector<std::string> names;
  for (const auto& category : data.schema().categories())
    names.push_back(data.feature_names()[category.feature]);
  observer.note(fmt::format("{}: read it with ‹categorical {}› (.podium knows its categories)",
                            path, fmt::join(names, ",")));
}

}  // namespace podium

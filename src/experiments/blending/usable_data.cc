#include "experiments/blending/usable_data.h"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "data/content_hashes.h"
#include "podium/error.h"

namespace podium {

void require_grades_that_differ(const Dataset& data, std::string_view what) {
  for (std::size_t q = 0; q < data.queries(); ++q) {
    const auto labels = data.labels(q);
    if (std::any_of(labels.begin(), labels.end(), [&](float y) { return y != labels[0]; })) return;
  }
  throw Error(ErrorCode::data,
              fmt::format("no query of the {} has documents of different grades: every ranking is "
                          "as good as any other",
                          what));
}

std::size_t queries_in_common(const Dataset& train, const Dataset& data, Context& context) {
  const std::vector<std::uint64_t> known = content_hashes(train, {}, context.pool).queries;
  const std::unordered_set<std::uint64_t> known_set(known.begin(), known.end());
  const std::vector<std::uint64_t> mine = content_hashes(data, {}, context.pool).queries;
  return static_cast<std::size_t>(std::count_if(
      mine.begin(), mine.end(), [&](std::uint64_t query) { return known_set.contains(query); }));
}

}  // namespace podium

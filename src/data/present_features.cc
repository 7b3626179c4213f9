#include "data/present_features.h"

#include <algorithm>

#include <fmt/format.h>

#include "distributed/gathered.h"

namespace podium {
namespace {

constexpr std::size_t kCountedRows = 4096;

// The columns that rows store, ascending. Stops when they are at least half of all columns: the
// exact set is not needed then.
std::vector<std::uint32_t> stored_columns(const Dataset& data) {
  std::vector<bool> seen(data.features());
  std::size_t count = 0;
  const auto is_enough = [&] { return 2 * count >= data.features(); };
  for (std::size_t begin = 0; begin < data.documents() && !is_enough(); begin += kCountedRows) {
    const Rows rows = data.rows(begin, std::min(begin + kCountedRows, data.documents()));
    for (std::size_t row = 0; row < rows.documents() && !is_enough(); ++row)
      for (const std::uint32_t column : rows.sparse(row).columns) {
        count += !seen[column];
        seen[column] = true;
      }
  }
  std::vector<std::uint32_t> columns;
  for (std::size_t f = 0; f < seen.size(); ++f)
    if (seen[f]) columns.push_back(static_cast<std::uint32_t>(f));
  return columns;
}

std::vector<std::uint32_t> of_all_ranks(const std::vector<std::uint32_t>& mine,
                                        Communicator& comm) {
  std::vector<std::uint32_t> all;
  for (const auto& columns : gathered(mine, comm)) {
    std::vector<std::uint32_t> both;
    std::set_union(all.begin(), all.end(), columns.begin(), columns.end(),
                   std::back_inserter(both));
    all = std::move(both);
  }
  return all;
}

}  // namespace

Dataset with_present_features(const Dataset& data, Context& context) {
  if (data.is_dense()) return data;
  const auto columns = of_all_ranks(stored_columns(data), context.comm);
  if (columns.empty() || 2 * columns.size() >= data.features()) return data;
  Transform present;
  for (const std::uint32_t column : columns)
    present.features.push_back(data.feature_names()[column]);
  return apply(present, data, context);
}

Transform fit_training_transform(const TransformOptions& steps, const Dataset& train,
                                 Context& context) {
  const Dataset seen = steps.features.empty() ? with_present_features(train, context) : train;
  if (seen.features() < train.features())
    context.observer.note(
        fmt::format("{} of {} features {} in the training data: the model has inputs for {}",
                    seen.features(), train.features(), seen.features() == 1 ? "occurs" : "occur",
                    seen.features() == 1 ? "that one" : "those"));
  Transform transform = fit_transform(steps, seen, context);
  if (transform.features.empty()) transform.features = seen.feature_names();
  return transform;
}

}  // namespace podium

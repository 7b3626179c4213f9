#include "experiments/automatic/run_identity.h"

#include <fmt/format.h>

#include "core/random.h"
#include "core/spec.h"
#include "data/content_hashes.h"

namespace podium {
namespace {

using Json = nlohmann::ordered_json;

// Of the rows in their order: saved scores belong to it.
std::string identity_of_rows(const Dataset& data, Context& context) {
  const ContentHashes hashes = content_hashes(data, {}, context.pool);
  std::uint64_t all = 0;
  for (std::size_t q = 0; q < data.queries(); ++q) {
    all = mix(all, data.end(q) - data.begin(q));
    for (std::size_t d = data.begin(q); d < data.end(q); ++d) all = mix(all, hashes.rows[d]);
  }
  return fmt::format("{:016x}", all);
}

}  // namespace

std::vector<std::string> wanted_learners(const std::string& list) {
  if (list.empty()) return auto_learners();
  std::vector<std::string> names;
  for (const std::string_view item : split_outside_parentheses(list, ','))
    names.emplace_back(trim(item));
  return names;
}

Json identity_of(const AutoOptions& options, const AutoRun& run, const Dataset& train,
                 const Dataset* valid, Context& context) {
  return {{"format", "podium-auto"},
          {"version", run.version},
          {"data", identity_of_rows(train, context)},
          {"valid", valid ? identity_of_rows(*valid, context) : ""},
          {"measure", options.measure},
          {"convention", options.convention},
          {"folds", options.folds},
          {"seed", context.seed}};
}

Json replay_identity(Json run, const AutoOptions& options) {
  run.erase("format");
  run["learners"] = fmt::format("{}", fmt::join(wanted_learners(options.learners), ","));
  run["members"] = options.members;
  run["simple"] = options.simple;
  run["max-latency"] = options.max_latency;
  return run;
}

}  // namespace podium

#include "experiments/result_tables.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/counted.h"
#include "experiments/model_directions.h"

namespace podium {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kNothing = "–";

std::string number_text(const Json& value, const char* format) {
  return value.is_number() ? fmt::format(fmt::runtime(format), value.get<double>()) : kNothing;
}

std::string p_text(const Json& p) {
  if (!p.is_number()) return kNothing;
  return p.get<double>() < 0.0001 ? "<0.0001" : fmt::format("{:.4f}", p.get<double>());
}

std::string title_of(const Json& results) {
  const Json& design = results["design"];
  const std::size_t folds = design["folds"].size();
  std::string title = fmt::format(
      "{}: {}, {}, {}; {}", results["data"]["name"].get<std::string>(),
      counted(results["data"]["queries"].get<std::size_t>(), "query"),
      counted(results["data"]["documents"].get<std::size_t>(), "document"),
      counted(results["data"]["features"].get<std::size_t>(), "feature"),
      design["kind"] == "trials"
          ? fmt::format("{} with {} training and {}", counted(folds, "trial"),
                        design["train_queries"].get<int>(),
                        counted(design["valid_queries"].get<std::uint64_t>(), "validation query"))
          : counted(folds, "fold"));
  if (!design["tune"].is_null())
    title += fmt::format(", {} ({})",
                         counted(design["tune"]["trials"].get<std::uint64_t>(), "tuning trial"),
                         design["tune"]["search"].get<std::string>());
  return title;
}

std::string how_tested(const Json& statistics) {
  const std::string correction = statistics["correction"];
  return fmt::format(
      "{} test{}, α = {}",
      correction == "max-t" ? "randomisation" : statistics["test"].get<std::string>(),
      correction == "none" ? ", not corrected" : ", " + correction + " over all pairs",
      statistics["alpha"].get<double>());
}

// Failed on some folds and not on others: its figures are over fewer queries.
bool is_partial(const Json& system) {
  return system["failed"].is_null() && !system["failed_folds"].empty();
}

void add_failures(const Json& results, std::vector<std::string>& notes) {
  const Json& systems = results["systems"];
  if (std::any_of(systems.begin(), systems.end(), is_partial))
    notes.push_back(
        "† failed on some folds: over the queries of the others, neither ranked nor "
        "tested");
  for (const Json& system : systems) {
    const std::string name = system["name"];
    for (const Json& cell : system["cells"])
      if (cell["status"] == "failed")
        notes.push_back(fmt::format("{} failed on {}: {}", name, cell["fold"].get<std::string>(),
                                    cell["message"].get<std::string>()));
    for (const Json& failure : system["failed_seeds"])
      notes.push_back(
          fmt::format("{} failed on {} with seed {}: {}", name, failure["fold"].get<std::string>(),
                      failure["seed"].get<std::uint64_t>(), failure["message"].get<std::string>()));
  }
}

// Older results do not have it.
void add_same_directions(const Json& results, std::vector<std::string>& notes) {
  for (const Json& group : results.value("same_direction", Json::array()))
    notes.push_back(fmt::format("{} ended as nearly the same direction in every fold (cosine ≥ {})",
                                fmt::join(group.get<std::vector<std::string>>(), ", "),
                                kSameDirection));
}

// What to beware of in the tests of a measure against the baseline, each once.
void add_warnings(const Json& pairs, const std::string& baseline, std::vector<std::string>& notes) {
  for (const char* key : {"reason", "warning"}) {
    std::vector<std::pair<std::string, std::string>> found;  // what is said, and of which pairs
    for (const Json& pair : pairs) {
      if ((pair["a"] != baseline && pair["b"] != baseline) || pair[key].is_null()) continue;
      const std::string text = pair[key], name = pair[pair["a"] == baseline ? "b" : "a"];
      const auto known = std::find_if(found.begin(), found.end(),
                                      [&](const auto& entry) { return entry.first == text; });
      if (known == found.end())
        found.emplace_back(text, name);
      else
        known->second += ", " + name;
    }
    for (const auto& [text, names] : found)
      notes.push_back(fmt::format("{} and {}: {}", names, baseline, text));
  }
}

// The pair's p-value that the marks go by.
Json deciding_p(const Json& pair, const Json& statistics) {
  const std::string correction = statistics["correction"];
  return correction == "none" ? pair["p"][statistics["test"].get<std::string>()]
                              : pair["adjusted"][correction];
}

const Json* find_pair(const Json& pairs, const std::string& system, const std::string& baseline) {
  for (const Json& pair : pairs)
    if ((pair["a"] == system && pair["b"] == baseline) ||
        (pair["b"] == system && pair["a"] == baseline))
      return &pair;
  return nullptr;
}

std::vector<Table::Cell> baseline_row(const Json& system, const Json* pair, const Json& statistics,
                                      const std::string& measure) {
  const Json& variation = system["variation"][measure];
  std::vector<std::string> row(6, kNothing);
  if (pair) {
    const bool first = (*pair)["a"] == system["name"];
    const double sign = first ? 1 : -1;
    const Json p = deciding_p(*pair, statistics);
    const bool significant = p.is_number() && p.get<double>() <= statistics["alpha"].get<double>();
    row[0] = fmt::format("{}/{}{}", (*pair)[first ? "wins" : "losses"].get<std::size_t>(),
                         (*pair)[first ? "losses" : "wins"].get<std::size_t>(),
                         significant ? " **" : "");
    if ((*pair)["mean"].is_number())
      row[1] = fmt::format("{:+.4f}", sign * (*pair)["mean"].get<double>());
    if (const Json& ends = (*pair)["interval"]; ends.is_array()) {
      const double a = sign * ends[0].get<double>(), b = sign * ends[1].get<double>();
      row[2] = fmt::format("{:+.4f} … {:+.4f}", std::min(a, b), std::max(a, b));
    }
    if ((*pair)["dz"].is_number())
      row[3] = fmt::format("{:+.3f}", sign * (*pair)["dz"].get<double>());
    row[4] = p_text((*pair)["p"][statistics["test"].get<std::string>()]);
    row[5] = p_text(p);
  }
  std::vector<Table::Cell> cells = {{system["name"].get<std::string>()}};
  for (std::string& text : row) cells.push_back({std::move(text)});
  const Json& wins = system["winning_numbers"][measure];
  cells.push_back({wins.is_number() ? fmt::format("{}", wins.get<std::size_t>()) : kNothing});
  cells.push_back({number_text(variation["over_folds"], "{:.4f}")});
  if (variation["over_seeds"].is_number())
    cells.push_back({number_text(variation["over_seeds"], "{:.4f}")});
  return cells;
}

}  // namespace

Table measure_table(const Json& results) {
  Table table;
  table.title = title_of(results);
  table.header = {"system"};
  for (const Json& measure : results["measures"]) table.header.push_back(measure);
  const Json& statistics = results["statistics"];
  for (const Json& system : results["systems"]) {
    std::vector<Table::Cell> row = {{system["name"].get<std::string>()}};
    for (const Json& measure : results["measures"]) {
      const std::string label = measure;
      Table::Cell cell{number_text(system["test"][label], "{:.4f}")};
      const Json& standings = statistics["measures"][label]["standings"];
      const std::string standing = standings.value(system["name"].get<std::string>(), "");
      if (standing == "best") cell.mark = Table::Mark::best;
      if (standing == "not-worse") cell.mark = Table::Mark::not_worse;
      if (is_partial(system)) cell.mark = Table::Mark::unknown;
      row.push_back(std::move(cell));
    }
    table.rows.push_back(std::move(row));
  }
  const Json& reason = statistics["measures"][results["measures"][0].get<std::string>()]["reason"];
  table.notes.push_back(reason.is_null()
                            ? "marked: best, and not significantly worse than the best (" +
                                  how_tested(statistics) + ")"
                            : "no tests: " + reason.get<std::string>());
  table.notes.push_back("convention " + results["convention"]["text"].get<std::string>());
  add_failures(results, table.notes);
  add_same_directions(results, table.notes);
  return table;
}

Table baseline_table(const Json& results) {
  Table table;
  const Json& statistics = results["statistics"];
  const std::string measure = results["measures"][0], baseline = statistics["baseline"];
  table.title = fmt::format("{} against {}", measure, baseline);
  table.header = {"system", "W/L",        "mean",           "95 % interval", "d_z",
                  "p",      "adjusted p", "winning number", "sd over folds"};
  if (results["systems"][0]["variation"][measure]["over_seeds"].is_number())
    table.header.push_back("sd over seeds");
  for (const Json& system : results["systems"]) {
    const Json* pair = find_pair(statistics["measures"][measure]["pairs"],
                                 system["name"].get<std::string>(), baseline);
    auto row = baseline_row(system, pair, statistics, measure);
    row.resize(table.header.size(), {kNothing});
    table.rows.push_back(std::move(row));
  }
  if (results["systems"].size() > 1)
    table.notes.push_back("** significant (" + how_tested(statistics) + ")");
  add_warnings(statistics["measures"][measure]["pairs"], baseline, table.notes);
  return table;
}

Table joined_table(const Json& results) {
  Table table = measure_table(results);
  const Table against = baseline_table(results);
  const std::string measure = results["measures"][0], baseline = results["statistics"]["baseline"];
  table.header.push_back("baseline");
  for (auto& row : table.rows) row.push_back({baseline});
  for (std::size_t c = 1; c < against.header.size(); ++c) {
    table.header.push_back(measure + " " + against.header[c]);
    for (std::size_t r = 0; r < table.rows.size(); ++r) table.rows[r].push_back(against.rows[r][c]);
  }
  table.notes.insert(table.notes.end(), against.notes.begin(), against.notes.end());
  return table;
}

Json results_summary(const Json& results) {
  Json summary = results;
  for (const char* key : {"queries", "line"}) summary.erase(key);
  for (Json& system : summary["systems"]) {
    system.erase("per_query");
    for (Json& cell : system["cells"])
      for (const char* key : {"curve", "path", "tuning"}) cell.erase(key);
  }
  return summary;
}

}  // namespace podium

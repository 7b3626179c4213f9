#include "experiments/report/result_tables.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/counted.h"
#include "experiments/report/model_directions.h"

namespace podium {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kNothing = "–";

// The meaning of a table's marks, in its output format.
struct Legend {
  std::string_view best, best_and_not_worse, partial;
};
constexpr Legend kSigns = {"marked: best",
                           "marked: best, and not significantly worse than the best",
                           "† failed on some folds"};
constexpr Legend kWords = {"standing: best",
                           "standing: best, and not-worse: not significantly worse than the best",
                           "standing unknown: failed on some folds"};

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

// Failed on some folds but not on others: its values are over fewer queries.
bool is_partial(const Json& system) {
  return system["failed"].is_null() && !system["failed_folds"].empty();
}

void add_failures(const Json& results, const Legend& legend, std::vector<std::string>& notes) {
  const Json& systems = results["systems"];
  if (std::any_of(systems.begin(), systems.end(), is_partial))
    notes.push_back(fmt::format(
        "{}: averaged over the remaining queries, neither ranked nor tested", legend.partial));
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

// Older results lack it.
void add_same_directions(const Json& results, std::vector<std::string>& notes) {
  for (const Json& group : results.value("same_direction", Json::array()))
    notes.push_back(
        fmt::format("{} converged to nearly the same direction in every fold (cosine ≥ {})",
                    fmt::join(group.get<std::vector<std::string>>(), ", "), kSameDirection));
}

// Adds the warnings of a measure's tests against the baseline, each once.
void add_warnings(const Json& pairs, const std::string& baseline, std::vector<std::string>& notes) {
  for (const char* key : {"reason", "warning"}) {
    std::vector<std::pair<std::string, std::string>> found;  // the warning, and its pairs
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

// The p-value of the pair that determines the marks.
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

// A pair of systems as seen from the one that is not the baseline. Null if unknown.
struct AgainstBaseline {
  Json wins, losses, mean, low, high, dz, p, adjusted_p;
  bool significant = false;
};

AgainstBaseline against_baseline(const Json& system, const Json& pair, const Json& statistics) {
  AgainstBaseline out;
  const bool first = pair["a"] == system["name"];
  const auto signed_number = [&](const Json& value) {
    return value.is_number() ? Json((first ? 1 : -1) * value.get<double>()) : Json(nullptr);
  };
  out.wins = pair[first ? "wins" : "losses"];
  out.losses = pair[first ? "losses" : "wins"];
  out.mean = signed_number(pair["mean"]);
  if (const Json& ends = pair["interval"]; ends.is_array()) {
    out.low = signed_number(ends[first ? 0 : 1]);
    out.high = signed_number(ends[first ? 1 : 0]);
  }
  out.dz = signed_number(pair["dz"]);
  out.p = pair["p"][statistics["test"].get<std::string>()];
  out.adjusted_p = deciding_p(pair, statistics);
  out.significant = out.adjusted_p.is_number() &&
                    out.adjusted_p.get<double>() <= statistics["alpha"].get<double>();
  return out;
}

Table::Cell winning_number(const Json& system, const std::string& measure) {
  return {number_text(system["winning_numbers"][measure], "{:.0f}")};
}

void add_variation(const Json& system, const std::string& measure,
                   std::vector<Table::Cell>& cells) {
  const Json& variation = system["variation"][measure];
  cells.push_back({number_text(variation["over_folds"], "{:.4f}")});
  if (variation["over_seeds"].is_number())
    cells.push_back({number_text(variation["over_seeds"], "{:.4f}")});
}

std::vector<Table::Cell> baseline_row(const Json& system, const Json* pair, const Json& statistics,
                                      const std::string& measure) {
  std::vector<Table::Cell> cells = {{system["name"].get<std::string>()}};
  if (pair) {
    const AgainstBaseline it = against_baseline(system, *pair, statistics);
    cells.push_back({fmt::format("{}/{}{}", it.wins.get<std::size_t>(),
                                 it.losses.get<std::size_t>(), it.significant ? " **" : "")});
    cells.push_back({number_text(it.mean, "{:+.4f}")});
    cells.push_back({it.low.is_number() ? fmt::format("{:+.4f} … {:+.4f}", it.low.get<double>(),
                                                      it.high.get<double>())
                                        : kNothing});
    cells.push_back({number_text(it.dz, "{:+.3f}")});
    cells.push_back({p_text(it.p)});
    cells.push_back({p_text(it.adjusted_p)});
  } else {
    cells.resize(7, {kNothing});
  }
  cells.push_back(winning_number(system, measure));
  add_variation(system, measure, cells);
  return cells;
}

constexpr const char* kPlainColumns[] = {"wins",        "losses",        "mean", "95 % low",
                                         "95 % high",   "d_z",           "p",    "adjusted p",
                                         "significant", "winning number"};

// The comparison for programs: one number per cell, empty if there is none.
std::vector<Table::Cell> plain_comparison(const Json& system, const Json* pair,
                                          const Json& statistics, const std::string& measure) {
  const AgainstBaseline it = pair ? against_baseline(system, *pair, statistics) : AgainstBaseline();
  std::vector<Table::Cell> cells;
  for (const Json* value :
       {&it.wins, &it.losses, &it.mean, &it.low, &it.high, &it.dz, &it.p, &it.adjusted_p})
    cells.push_back({value->is_number() ? fmt::format("{:.6g}", value->get<double>()) : ""});
  cells.push_back({!it.adjusted_p.is_number() ? "" : it.significant ? "yes" : "no"});
  cells.push_back(winning_number(system, measure));
  return cells;
}

// There are columns about the variation over seeds if several seeds were trained.
bool has_seeds(const Json& results, const std::string& measure) {
  return results["systems"][0]["variation"][measure]["over_seeds"].is_number();
}

bool is_marked(const Table& table, Table::Mark mark) {
  return std::any_of(table.rows.begin(), table.rows.end(), [&](const auto& row) {
    return std::any_of(row.begin(), row.end(), [&](const auto& cell) { return cell.mark == mark; });
  });
}

void add_notes(const Json& results, const Legend& legend, Table& table) {
  const Json& statistics = results["statistics"];
  const Json& reason = statistics["measures"][results["measures"][0].get<std::string>()]["reason"];
  if (!reason.is_null())
    table.notes.push_back("no tests: " + reason.get<std::string>());
  else if (is_marked(table, Table::Mark::best))
    table.notes.push_back(fmt::format(
        "{} ({})",
        is_marked(table, Table::Mark::not_worse) ? legend.best_and_not_worse : legend.best,
        how_tested(statistics)));
  table.notes.push_back("convention " + results["convention"]["text"].get<std::string>());
  add_failures(results, legend, table.notes);
  add_same_directions(results, table.notes);
}

Table measures_of_systems(const Json& results) {
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
  return table;
}

}  // namespace

Table measure_table(const Json& results) {
  Table table = measures_of_systems(results);
  add_notes(results, kSigns, table);
  if (results["systems"].size() != 1) return table;
  const std::string measure = results["measures"][0];
  if (const Json& folds = results["systems"][0]["variation"][measure]["over_folds"];
      folds.is_number())
    table.notes.push_back(fmt::format("sd of {} over folds: {:.4f}", measure, folds.get<double>()));
  return table;
}

Table baseline_table(const Json& results) {
  Table table;
  const Json& statistics = results["statistics"];
  const std::string measure = results["measures"][0], baseline = statistics["baseline"];
  table.title = fmt::format("{} against {}", measure, baseline);
  table.header = {"system", "W/L",        "mean",           "95 % interval", "d_z",
                  "p",      "adjusted p", "winning number", "sd over folds"};
  if (has_seeds(results, measure)) table.header.push_back("sd over seeds");
  bool significant = false;
  for (const Json& system : results["systems"]) {
    const Json* pair = find_pair(statistics["measures"][measure]["pairs"],
                                 system["name"].get<std::string>(), baseline);
    auto row = baseline_row(system, pair, statistics, measure);
    row.resize(table.header.size(), {kNothing});
    significant = significant || (pair && against_baseline(system, *pair, statistics).significant);
    table.rows.push_back(std::move(row));
  }
  if (statistics["measures"][measure]["reason"].is_null())
    table.notes.push_back(fmt::format(
        "{} ({})", significant ? "** significant" : "none significant", how_tested(statistics)));
  add_warnings(statistics["measures"][measure]["pairs"], baseline, table.notes);
  return table;
}

Table joined_table(const Json& results) {
  Table table = measures_of_systems(results);
  add_notes(results, kWords, table);
  const Json& statistics = results["statistics"];
  const std::string measure = results["measures"][0], baseline = statistics["baseline"];
  const Json& pairs = statistics["measures"][measure]["pairs"];
  const bool has_comparison = results["systems"].size() > 1;
  if (has_comparison) {
    table.header.push_back("baseline");
    for (const char* name : kPlainColumns) table.header.push_back(measure + " " + name);
  }
  table.header.push_back(measure + " sd over folds");
  if (has_seeds(results, measure)) table.header.push_back(measure + " sd over seeds");
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const Json& system = results["systems"][r];
    auto& row = table.rows[r];
    if (has_comparison) {
      row.push_back({baseline});
      const Json* pair = find_pair(pairs, system["name"].get<std::string>(), baseline);
      for (Table::Cell& cell : plain_comparison(system, pair, statistics, measure))
        row.push_back(std::move(cell));
    }
    add_variation(system, measure, row);
    row.resize(table.header.size());
    for (std::size_t c = 1; c < row.size(); ++c)
      if (row[c].text == kNothing) row[c].text.clear();
  }
  add_warnings(pairs, baseline, table.notes);
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

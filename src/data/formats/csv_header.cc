#include "data/formats/csv_header.h"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "podium/error.h"
#include "podium/option_text.h"

namespace podium {
namespace {

struct Wanted {
  Role role;
  const char* option;
  std::string ReadOptions::*column;
  std::vector<std::string> usual_names;
  enum class Need { required, optional } need;
};

const std::vector<Wanted>& wanted_columns() {
  using enum Wanted::Need;
  static const std::vector<Wanted> wanted = {
      {Role::label,
       "label-column",
       &ReadOptions::label_column,
       {"label", "grade", "relevance"},
       required},
      {Role::qid, "qid-column", &ReadOptions::qid_column, {"qid", "query"}, required},
      {Role::docid, "docid-column", &ReadOptions::docid_column, {"docid"}, optional},
      {Role::weight, "weight-column", &ReadOptions::weight_column, {"weight"}, optional},
      {Role::position, "position-column", &ReadOptions::position_column, {"position"}, optional},
      {Role::host, "host-column", &ReadOptions::host_column, {"host"}, optional}};
  return wanted;
}

void check_names(const CsvHeader& header, const ReadOptions& options, const Place& place) {
  std::unordered_set<std::string_view> seen;
  for (std::size_t i = 0; i < header.names.size(); ++i) {
    if (header.names[i].empty())
      throw Error(ErrorCode::data, fmt::format("column {} has no name", i + 1), place);
    if (!seen.insert(header.names[i]).second)
      throw Error(ErrorCode::data,
                  fmt::format("two columns are named '{}': rename one", header.names[i]), place);
  }
  const auto features = std::count(header.roles.begin(), header.roles.end(), Role::feature);
  if (features > options.max_features)
    throw Error(ErrorCode::data,
                fmt::format("{} features; raise ‹max-features› if that is meant", features), place);
}

// The column with that role, or names.size().
std::size_t find_column(const std::vector<std::string>& names, const Wanted& wanted,
                        const std::string& given, const Place& place) {
  const auto index_of = [&](const std::string& name) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  if (!given.empty()) {
    if (index_of(given) == names.size())
      throw Error(ErrorCode::data,
                  fmt::format("{}: there is no column '{}'{}", option(wanted.option), given,
                              suggestion(given, names)),
                  place);
    return index_of(given);
  }
  std::size_t found = names.size();
  for (const std::string& name : wanted.usual_names) {
    const std::size_t index = index_of(name);
    if (index == names.size()) continue;
    if (found != names.size())
      throw Error(ErrorCode::data,
                  fmt::format("both '{}' and '{}' could be meant: choose with {}", names[found],
                              name, option(wanted.option)),
                  place);
    found = index;
  }
  if (found == names.size() && wanted.need == Wanted::Need::required)
    throw Error(ErrorCode::data,
                fmt::format("no column '{}': name it with {}", wanted.usual_names.front(),
                            option(wanted.option)),
                place);
  return found;
}

}  // namespace

std::string column_option_given(const ReadOptions& options) {
  for (const Wanted& wanted : wanted_columns())
    if (!(options.*wanted.column).empty()) return wanted.option;
  return {};
}

bool names_required_columns(const std::vector<std::string>& names) {
  const auto is_named = [&](const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  return std::all_of(wanted_columns().begin(), wanted_columns().end(), [&](const Wanted& wanted) {
    return wanted.need == Wanted::Need::optional ||
           std::any_of(wanted.usual_names.begin(), wanted.usual_names.end(), is_named);
  });
}

std::vector<std::string> CsvHeader::feature_names() const {
  std::vector<std::string> features;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (roles[i] == Role::feature) features.push_back(names[i]);
  return features;
}

CsvHeader make_header(std::vector<std::string> names, const ReadOptions& options,
                      const std::string& file) {
  const Place place{file, 1};
  CsvHeader header;
  header.names = std::move(names);
  header.roles.assign(header.names.size(), Role::feature);
  for (const Wanted& wanted : wanted_columns()) {
    const std::size_t column = find_column(header.names, wanted, options.*wanted.column, place);
    if (column == header.names.size()) continue;
    if (header.roles[column] != Role::feature)
      throw Error(ErrorCode::data,
                  fmt::format("{}: column '{}' has another role already", option(wanted.option),
                              header.names[column]),
                  place);
    header.roles[column] = wanted.role;
  }
  check_names(header, options, place);
  return header;
}

}  // namespace podium

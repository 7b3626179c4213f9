#include "data/formats/csv_header.h"

#include <algorithm>
#include <charconv>
#include <unordered_set>

#include <fmt/format.h>

#include "core/text_scan.h"
#include "data/formats/column_types.h"
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
      {Role::query_weight, "query-weight", &ReadOptions::query_weight_column, {}, optional},
      {Role::position, "position-column", &ReadOptions::position_column, {"position"}, optional},
      {Role::host, "host-column", &ReadOptions::host_column, {"host"}, optional}};
  return wanted;
}

bool is_feature(Role role) {
  return role == Role::feature || role == Role::category;
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
  const auto features = std::count_if(header.roles.begin(), header.roles.end(), is_feature);
  if (features > options.max_features)
    throw Error(ErrorCode::data,
                fmt::format("{} features; raise ‹max-features› if that is intended", features),
                place);
}

// By name, else by number counted from 1; names.size() where there is neither.
std::size_t named_or_numbered(const std::vector<std::string>& names, const std::string& text) {
  const auto named = std::find(names.begin(), names.end(), text);
  if (named != names.end()) return static_cast<std::size_t>(named - names.begin());
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && number >= 1 && number <= names.size() ? number - 1 : names.size();
}

// Data in the place of the names.
bool are_numbers(const std::vector<std::string>& names) {
  double number = 0;
  return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
    return name.empty() || parse_double(name, number);
  });
}

// "bm25, price, … (40)"
std::string shown(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 20;
  const auto last = names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kShown));
  const std::string first = fmt::format("{}", fmt::join(names.begin(), last, ", "));
  return last == names.end() ? first : fmt::format("{}, … ({})", first, names.size());
}

// Columns that users leave out.
std::vector<std::size_t> columns_left_out(const std::vector<std::string>& names,
                                          const ReadOptions& options) {
  std::vector<std::size_t> columns;
  for (const WantedType& wanted : wanted_types(options))
    if (wanted.type == FeatureType::ignored && wanted.absent != WantedType::Absent::allowed)
      columns.push_back(named_or_numbered(names, wanted.column));
  return columns;
}

// The column with that role, or names.size(). Of several with usual names, those left out do not
// count.
std::size_t find_column(const std::vector<std::string>& names, const Wanted& wanted,
                        const ReadOptions& options, const Place& place) {
  const std::string& given = options.*wanted.column;
  const auto index_of = [&](const std::string& name) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  if (!given.empty()) {
    if (named_or_numbered(names, given) == names.size())
      throw Error(ErrorCode::data,
                  fmt::format("{}: there is no column '{}'{}", option(wanted.option), given,
                              suggestion(given, names)),
                  place);
    return named_or_numbered(names, given);
  }
  std::vector<std::size_t> fitting;
  for (const std::string& name : wanted.usual_names)
    if (index_of(name) != names.size()) fitting.push_back(index_of(name));
  if (fitting.size() > 1) {
    const auto left_out = columns_left_out(names, options);
    std::erase_if(fitting, [&](std::size_t column) {
      return std::find(left_out.begin(), left_out.end(), column) != left_out.end();
    });
  }
  if (fitting.size() > 1)
    throw Error(ErrorCode::data,
                fmt::format("both '{}' and '{}' would fit: choose with {}", names[fitting[0]],
                            names[fitting[1]], option(wanted.option)),
                place);
  const std::size_t found = fitting.empty() ? names.size() : fitting[0];
  if (found == names.size() && wanted.need == Wanted::Need::required)
    throw Error(
        ErrorCode::data,
        are_numbers(names)
            ? std::string("numbers in the line of names: ‹no-header› reads files without one")
            : fmt::format("no column '{}': name it with {}; there are {}",
                          wanted.usual_names.front(), option(wanted.option), shown(names)),
        place);
  return found;
}

// The columns of a label expression. A column with a usual name of labels is no feature beside it.
void give_label_columns(CsvHeader& header, const ReadOptions& options, const Place& place) {
  if (!options.label_column.empty())
    throw Error(ErrorCode::usage, "‹label› and ‹label-column› cannot both say what the label is");
  header.label = LabelExpression(options.label);
  for (const std::string& name : header.label.columns()) {
    const auto found = std::find(header.names.begin(), header.names.end(), name);
    if (found == header.names.end())
      throw Error(
          ErrorCode::data,
          fmt::format("‹label›: there is no column '{}'{}", name, suggestion(name, header.names)),
          place);
    header.label_columns.push_back(static_cast<std::size_t>(found - header.names.begin()));
    header.roles[header.label_columns.back()] = Role::label_part;
  }
  for (const std::string& usual : wanted_columns().front().usual_names) {
    const auto found = std::find(header.names.begin(), header.names.end(), usual);
    if (found == header.names.end()) continue;
    Role& role = header.roles[static_cast<std::size_t>(found - header.names.begin())];
    if (role != Role::feature) continue;
    role = Role::ignored;
    header.note += fmt::format("{}the column '{}' is ignored: the label is {}",
                               header.note.empty() ? "" : "; ", usual, options.label);
  }
}

// By name, else (only for users' options) by number counted from 1; names.size() if not found.
std::size_t find_wanted_column(const std::vector<std::string>& names, const WantedType& wanted) {
  if (wanted.absent != WantedType::Absent::allowed) return named_or_numbered(names, wanted.column);
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), wanted.column) -
                                  names.begin());
}

Role role_of(FeatureType type) {
  switch (type) {
    case FeatureType::number:
      return Role::feature;
    case FeatureType::category:
      return Role::category;
    case FeatureType::ignored:
      return Role::ignored;
  }
  return Role::feature;
}

// Document ids, weights and the like can also be ignored; label and qid cannot.
void give_type(CsvHeader& header, const WantedType& wanted, const Place& place) {
  const std::size_t column = find_wanted_column(header.names, wanted);
  if (column == header.names.size()) {
    if (wanted.absent == WantedType::Absent::allowed) return;
    throw Error(ErrorCode::data,
                fmt::format("there is no column '{}', which {} names{}", wanted.column,
                            wanted.said_by, suggestion(wanted.column, header.names)),
                place);
  }
  Role& role = header.roles[column];
  const bool needed = role == Role::label || role == Role::label_part || role == Role::qid;
  const bool special = !is_feature(role) && role != Role::ignored;
  if (special && (needed || wanted.type == FeatureType::category)) {
    if (wanted.absent == WantedType::Absent::allowed) return;
    throw Error(ErrorCode::data,
                fmt::format("{}: column '{}' has another role already", wanted.said_by,
                            header.names[column]),
                place);
  }
  if (special && wanted.type == FeatureType::number) return;
  role = role_of(wanted.type);
}

// Not the name of a column, but maybe a number or a range of features.
bool counts_features(const std::string& item) {
  return item.find('-') != item.npos || item.find_first_not_of("0123456789") == item.npos;
}

std::vector<char> spare_columns(const CsvHeader& header, const std::vector<std::string>& needed) {
  std::vector<char> spare(header.names.size(), 0);
  const std::unordered_set<std::string_view> names(header.names.begin(), header.names.end());
  for (const std::string& item : needed)
    if (!names.contains(item) && counts_features(item)) return spare;
  const std::unordered_set<std::string_view> wanted(needed.begin(), needed.end());
  for (std::size_t i = 0; i < spare.size() && !wanted.empty(); ++i)
    spare[i] = header.roles[i] == Role::feature && !wanted.contains(header.names[i]);
  return spare;
}

}  // namespace

std::string column_option_given(const ReadOptions& options) {
  for (const Wanted& wanted : wanted_columns())
    if (!(options.*wanted.column).empty()) return wanted.option;
  if (!options.label.empty()) return "label";
  if (options.no_header) return "no-header";
  return options.separator.empty() ? "" : "separator";
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
    if (is_feature(roles[i])) features.push_back(names[i]);
  return features;
}

std::vector<std::uint32_t> CsvHeader::category_features() const {
  std::vector<std::uint32_t> places;
  std::uint32_t feature = 0;
  for (const Role role : roles) {
    if (role == Role::category) places.push_back(feature);
    feature += is_feature(role);
  }
  return places;
}

std::vector<std::string> CsvHeader::ignored_names() const {
  std::vector<std::string> ignored;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (roles[i] == Role::ignored) ignored.push_back(names[i]);
  return ignored;
}

std::string CsvHeader::name_of(Role role) const {
  const auto found = std::find(roles.begin(), roles.end(), role);
  return found == roles.end() ? "" : names[static_cast<std::size_t>(found - roles.begin())];
}

CsvHeader make_header(std::vector<std::string> names, const ReadOptions& options,
                      const std::string& file) {
  const Place place{file, 1};
  CsvHeader header;
  header.names = std::move(names);
  header.roles.assign(header.names.size(), Role::feature);
  // pandas saves the index of a table as a first column without a name, and reads it as this one.
  if (header.names.size() > 1 && header.names[0].empty()) {
    header.names[0] = "(index)";
    header.roles[0] = Role::ignored;
    header.note =
        "the first column has no name: it is taken for the index of a table that was "
        "saved, and ignored";
  } else if (header.names[0] == "Unnamed: 0") {
    header.note =
        "the column 'Unnamed: 0' is the index of a table that was saved, and a feature "
        "here: ‹ignore 1› leaves it out";
  }
  if (!options.label.empty()) give_label_columns(header, options, place);
  for (const Wanted& wanted : wanted_columns()) {
    if (wanted.role == Role::label && !options.label.empty()) continue;
    const std::size_t column = find_column(header.names, wanted, options, place);
    if (column == header.names.size()) continue;
    if (header.roles[column] != Role::feature)
      throw Error(ErrorCode::data,
                  fmt::format("{}: column '{}' already has another role", option(wanted.option),
                              header.names[column]),
                  place);
    header.roles[column] = wanted.role;
  }
  for (const WantedType& wanted : wanted_types(options)) give_type(header, wanted, place);
  header.spare = spare_columns(header, options.needed);
  check_names(header, options, place);
  return header;
}

}  // namespace podium

#include "data/formats/infer_schema.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include <fmt/format.h>

#include "core/counted.h"
#include "core/text_source.h"
#include "core/unpack.h"
#include "data/formats/csv_reader.h"
#include "data/formats/data_format.h"
#include "data/formats/text_files.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr double kMostlyDifferent = 0.5;  // share of different values among the rows
constexpr std::size_t kFewValues = 20;    // so many may differ in all rows of a small file
constexpr double kRangePerId = 4, kRowsPerId = 5;
constexpr double kLargestExact = 0x1.0p53;  // whole numbers up to here are exact

struct ColumnFacts {
  explicit ColumnFacts(const Strings& of) : values(of) {}

  std::size_t rows = 0;  // with a value
  std::size_t missing = 0;
  const Strings& values;
  std::string text;   // a value that is no number, or ""
  bool truth = true;  // all values are True or False
  bool dates = true;  // all values begin like 2026-01-31
  bool whole = true;
  double low = HUGE_VAL, high = -HUGE_VAL;
  std::uint64_t step = 0;  // of whole numbers: the largest that all differences are multiples of

  std::size_t different() const { return values.size(); }
  // How many whole numbers there could be from the lowest to the highest, by steps: 0, 10, …, 40
  // leave no gaps, and so are a scale; ids have gaps.
  double places() const {
    return (high - low) / static_cast<double>(std::max<std::uint64_t>(1, step)) + 1;
  }
  bool mostly_different() const {
    if (different() == rows) return rows > 2;
    return different() > kFewValues &&
           static_cast<double>(different()) >= kMostlyDifferent * static_cast<double>(rows);
  }
};

bool begins_with_date(std::string_view value) {
  constexpr std::string_view kForm = "0000-00-00";
  if (value.size() < kForm.size()) return false;
  for (std::size_t i = 0; i < kForm.size(); ++i)
    if (kForm[i] == '0' ? value[i] < '0' || value[i] > '9' : value[i] != kForm[i]) return false;
  return true;
}

void add_value(ColumnFacts& facts, std::string_view value) {
  facts.truth = facts.truth && truth_value(value);
  facts.dates = facts.dates && begins_with_date(value);
  double number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size()) {
    if (facts.text.empty()) facts.text = value;
    return;
  }
  facts.whole = facts.whole && number == std::floor(number) && number >= 0 &&
                value.find_first_not_of("0123456789") == value.npos;
  if (facts.whole && facts.low <= kLargestExact && number <= kLargestExact)
    facts.step = std::gcd(facts.step, static_cast<std::uint64_t>(std::fabs(number - facts.low)));
  facts.low = std::min(facts.low, number);
  facts.high = std::max(facts.high, number);
}

ColumnFacts facts_of(const Dataset& data, const FeatureSchema::Category& category) {
  ColumnFacts facts(category.values);
  const Rows rows = data.rows(0, data.documents());
  std::vector<float> row(data.features());
  for (std::size_t d = 0; d < data.documents(); ++d) {
    rows.copy(d, row);
    ++(std::isnan(row[category.feature]) ? facts.missing : facts.rows);
  }
  for (std::size_t code = 0; code < category.values.size(); ++code)
    add_value(facts, category.values[code]);
  return facts;
}

bool is_called_an_id(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  if (name == "id" || name == "code" || name == "type" || name == "category") return true;
  for (const std::string_view ending :
       {"_id", "-id", " id", "_code", "_type", "_category", "_kind"})
    if (name.ends_with(ending)) return true;
  return false;
}

ProposedType type_of_text(const std::string& name, const ColumnFacts& facts) {
  const std::string what =
      fmt::format("text such as '{}', {} in {}", facts.text.substr(0, 30),
                  counted(facts.different(), "different value"), counted(facts.rows, "row"));
  if (facts.truth) return {name, FeatureType::number, "true or false: 1 and 0"};
  if (facts.dates)
    return {name, FeatureType::ignored, what + ": dates; a number of days would be a feature"};
  if (facts.mostly_different())
    return {name, FeatureType::ignored, what + ": more like a title or an id than a category"};
  return {name, FeatureType::category, what};
}

std::string range_text(const ColumnFacts& facts) {
  if (!facts.whole) return fmt::format("numbers from {} to {}", facts.low, facts.high);
  const std::string text = fmt::format("whole numbers from {} to {}", facts.low, facts.high);
  return facts.step > 1 && facts.different() > 2
             ? fmt::format("{} in steps of {}: a scale rather than ids", text, facts.step)
             : text;
}

ProposedType type_of_numbers(const std::string& name, const ColumnFacts& facts) {
  const auto different = static_cast<double>(facts.different());
  const bool sparse = facts.places() >= kRangePerId * different &&
                      static_cast<double>(facts.rows) >= kRowsPerId * different;
  const bool by_name = is_called_an_id(name);
  if (!facts.whole || !(by_name || (sparse && facts.different() > 2)))
    return {name, FeatureType::number, range_text(facts)};
  const std::string what = fmt::format("whole numbers, {} from {} to {} in {}",
                                       counted(facts.different(), "different value"), facts.low,
                                       facts.high, counted(facts.rows, "row"));
  if (facts.mostly_different())
    return {name, FeatureType::ignored, what + ": ids of rows rather than of a category"};
  return {
      name, FeatureType::category,
      what + (by_name ? ": the name says that they are ids" : ": few and far between, like ids")};
}

ProposedType type_of(const std::string& name, const ColumnFacts& facts) {
  if (facts.rows == 0) return {name, FeatureType::ignored, "no value in any row"};
  if (facts.different() == 1 && facts.missing == 0)
    return {name, FeatureType::ignored, fmt::format("'{}' in all rows", facts.values[0])};
  return facts.text.empty() ? type_of_numbers(name, facts) : type_of_text(name, facts);
}

}  // namespace

std::vector<ProposedType> infer_schema(const std::string& path, const ReadOptions& options,
                                       Context& context) {
  const std::string_view name = without_packing(path);
  const bool tabs = name.ends_with(".tsv");
  if (!tabs && !name.ends_with(".csv"))
    throw Error(ErrorCode::usage, "‹infer-schema› is for CSV and TSV, whose columns have names",
                {path});
  const auto source = open_text(path, text_limits(options));
  RowContext around;
  around.file = path;
  const Dataset data = read_csv(*source, tabs ? '\t' : ',', options, std::move(around), context,
                                FeatureColumns::all_categories);
  std::vector<ProposedType> types;
  for (const auto& category : data.schema().categories())
    types.push_back(type_of(data.feature_names()[category.feature], facts_of(data, category)));
  return types;
}

std::string schema_file(const std::vector<ProposedType>& types) {
  nlohmann::ordered_json features = nlohmann::ordered_json::object();
  for (const ProposedType& type : types) features[type.column] = to_text(type.type);
  const nlohmann::ordered_json file = {{"features", features}};
  return file.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace podium

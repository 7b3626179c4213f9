#include "data/formats/preferences_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "core/counted.h"
#include "core/text_scan.h"
#include "core/text_source.h"
#include "data/formats/parse_error.h"
#include "data/sort_preferences.h"
#include "distributed/on_every_rank.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr std::array<std::string_view, 4> kPreferenceColumns = {"qid", "better", "worse", "weight"};

std::vector<std::string_view> preference_fields(std::string_view line, char separator) {
  std::vector<std::string_view> fields;
  for (;;) {
    const std::size_t end = std::min(line.find(separator), line.size());
    std::string_view field = line.substr(0, end);
    while (!field.empty() && is_blank(field.front())) field.remove_prefix(1);
    while (!field.empty() && is_blank(field.back())) field.remove_suffix(1);
    fields.push_back(field);
    if (end == line.size()) return fields;
    line.remove_prefix(end + 1);
  }
}

// Where each of the four columns is; weight may have none.
struct PreferenceOrder {
  std::array<std::optional<std::size_t>, 4> place = {0, 1, 2, 3};
  bool has_weight = false;
};

// The order that a header gives; nullopt if the line is not one.
std::optional<PreferenceOrder> header_order(const std::vector<std::string_view>& fields,
                                            const Place& place) {
  if (std::find(fields.begin(), fields.end(), "qid") == fields.end() ||
      std::find(fields.begin(), fields.end(), "better") == fields.end())
    return std::nullopt;
  PreferenceOrder order;
  for (std::size_t c = 0; c < kPreferenceColumns.size(); ++c) {
    const auto found = std::find(fields.begin(), fields.end(), kPreferenceColumns[c]);
    order.place[c].reset();
    if (found != fields.end()) order.place[c] = static_cast<std::size_t>(found - fields.begin());
  }
  order.has_weight = order.place[3].has_value();
  if (!order.place[2]) throw Error(ErrorCode::data, "there is no column 'worse'", place);
  return order;
}

// The documents of this rank's queries by name.
class DocumentNames {
 public:
  explicit DocumentNames(const Dataset& data) : data_(data) {
    for (std::size_t q = 0; q < data.queries(); ++q) queries_.emplace(data.qid(q), q);
    if (!data.has_docids()) return;
    documents_.resize(data.queries());
    for (std::size_t q = 0; q < data.queries(); ++q)
      for (std::size_t d = data.begin(q); d < data.end(q); ++d)
        documents_[q].emplace(data.docid(d), static_cast<std::uint32_t>(d - data.begin(q)));
  }

  std::optional<std::size_t> query(std::string_view qid) const {
    const auto found = queries_.find(qid);
    if (found == queries_.end()) return std::nullopt;
    return found->second;
  }

  std::uint32_t document(std::size_t q, std::string_view name, const Place& place) const {
    if (data_.has_docids()) {
      const auto found = documents_[q].find(name);
      if (found != documents_[q].end()) return found->second;
      throw Error(ErrorCode::data, unknown(q, name), place);
    }
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    const std::size_t count = data_.end(q) - data_.begin(q);
    if (error != std::errc() || end != name.data() + name.size() || number < 1 || number > count)
      throw Error(ErrorCode::data,
                  fmt::format("'{}' is not a document of query '{}': the data has no docids, so "
                              "documents are numbers from 1 to {}",
                              shortened(name), data_.qid(q), count),
                  place);
    return number - 1;
  }

 private:
  std::string unknown(std::size_t q, std::string_view name) const {
    for (std::size_t other = 0; other < documents_.size(); ++other)
      if (documents_[other].contains(name))
        return fmt::format(
            "document '{}' is one of query '{}', not of '{}': a pair compares documents of one "
            "query",
            shortened(name), data_.qid(other), data_.qid(q));
    return fmt::format("query '{}' has no document '{}'", data_.qid(q), shortened(name));
  }

  const Dataset& data_;
  std::unordered_map<std::string_view, std::size_t> queries_;
  std::vector<std::unordered_map<std::string_view, std::uint32_t>> documents_;  // by query
};

float preference_weight(std::string_view text, const Place& place) {
  float weight = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), weight);
  if (error != std::errc() || end != text.data() + text.size() || !(weight >= 0) ||
      !std::isfinite(weight))
    throw Error(ErrorCode::data,
                fmt::format("the weight is '{}': weights must be numbers >= 0", shortened(text)),
                place);
  return weight;
}

// The rows of the file for this rank's queries.
class PreferenceReader {
 public:
  PreferenceReader(const Dataset& data, std::string file)
      : names_(data), file_(std::move(file)), by_query_(data.queries()) {}

  void read() {
    const auto source = open_text(file_, {});
    Place place{file_, 0};
    while (const auto block = source->next()) {
      std::string_view rest = block->text;
      while (!rest.empty()) {
        const std::size_t end = rest.find('\n');
        std::string_view line = rest.substr(0, end);
        rest.remove_prefix(end + 1);
        ++place.line;
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        if (!line.empty()) add(line, place);
      }
    }
    if (lines_.empty()) throw Error(ErrorCode::data, "the file has no pairs", {file_});
  }

  // For each pair of the file, whether its query is one of this rank's; and its line and qid.
  std::vector<std::int64_t>& known() noexcept { return known_; }
  Error unknown_query(std::size_t pair) const {
    return Error(ErrorCode::data, fmt::format("the data has no query '{}'", shortened(qids_[pair])),
                 {file_, lines_[pair]});
  }

  void move_to(DatasetParts& parts) {
    std::vector<std::uint64_t> begin = {0};
    std::vector<Preference> all;
    for (auto& of_query : by_query_) {
      sort_preferences(of_query);
      all.insert(all.end(), of_query.begin(), of_query.end());
      begin.push_back(all.size());
    }
    parts.preference_begin = std::move(begin);
    parts.preferences = std::move(all);
  }

 private:
  void add(std::string_view line, const Place& place) {
    const bool is_first = separator_ == '\0';
    if (is_first) separator_ = line.find('\t') != line.npos ? '\t' : ',';
    const auto fields = preference_fields(line, separator_);
    if (is_first) {
      if (const auto order = header_order(fields, place)) {
        order_ = *order;
        columns_ = fields.size();
        return;
      }
    }
    if (columns_ == 0) {
      columns_ = fields.size();
      order_.has_weight = columns_ == 4;
    }
    if (fields.size() != columns_ || columns_ < 3)
      throw Error(
          ErrorCode::data,
          fmt::format("the row has {}: qid, better, worse and, optionally, weight are "
                      "expected{}",
                      counted(fields.size(), "field"), columns_ < 3 ? "" : ", in every row alike"),
          place);
    add_pair(fields, place);
  }

  void add_pair(const std::vector<std::string_view>& fields, const Place& place) {
    const auto qid = fields[*order_.place[0]];
    const auto better = fields[*order_.place[1]], worse = fields[*order_.place[2]];
    if (better == worse)
      throw Error(ErrorCode::data,
                  fmt::format("document '{}' is preferred to itself", shortened(better)), place);
    const float weight =
        order_.has_weight ? preference_weight(fields[*order_.place[3]], place) : 1.0F;
    const auto query = names_.query(qid);
    known_.push_back(query.has_value());
    lines_.push_back(place.line);
    qids_.emplace_back(qid);
    if (!query) return;
    const Preference pair{names_.document(*query, better, place),
                          names_.document(*query, worse, place), weight};
    if (pair.better == pair.worse)
      throw Error(ErrorCode::data,
                  fmt::format("document '{}' is preferred to itself", shortened(better)), place);
    by_query_[*query].push_back(pair);
  }

  DocumentNames names_;
  std::string file_;
  char separator_ = '\0';
  std::size_t columns_ = 0;
  PreferenceOrder order_;
  std::vector<std::int64_t> known_;
  std::vector<std::size_t> lines_;
  std::vector<std::string> qids_;
  std::vector<std::vector<Preference>> by_query_;
};

}  // namespace

Dataset with_preferences(const Dataset& data, const std::string& path, Context& context) {
  PreferenceReader reader(data, path);
  on_every_rank(context.comm, [&] { reader.read(); });
  std::vector<std::int64_t> known = reader.known();
  context.comm.all_reduce_sum(std::span(known));
  for (std::size_t pair = 0; pair < known.size(); ++pair)
    if (known[pair] == 0) throw reader.unknown_query(pair);
  DatasetParts parts = data.parts();
  reader.move_to(parts);
  return Dataset(std::move(parts));
}

}  // namespace podium

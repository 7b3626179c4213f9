// Features by name or number: lists as users write them, and names looked up in other data.
#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "data/trained_feature.h"
#include "podium/error.h"
#include "podium/option_text.h"
#include "podium/transform.h"

namespace podium {
namespace {

// "17" as 17; nullopt if the text is not a plain whole number.
std::optional<std::uint64_t> number_of(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (text.size() > 1 && text[0] == '0') return std::nullopt;
  return number;
}

// Finds features of one data set by name or number. Consecutively numbered features, as in LETOR
// text, need no table: looking up a few of a million costs little.
class FeatureIndex {
 public:
  explicit FeatureIndex(const Dataset& data) : names_(data.feature_names()) {
    for (const std::string& name : names_) {
      const auto number = number_of(name);
      numbered_ = numbered_ && number;
      if (!numbered_) break;
      if (&name == &names_.front()) first_ = *number;
      consecutive_ =
          consecutive_ && *number == first_ + static_cast<std::uint64_t>(&name - names_.data());
    }
    if (numbered_ && consecutive_) return;
    by_name_.reserve(names_.size());
    for (std::size_t f = 0; f < names_.size(); ++f) by_name_.emplace(names_[f], f);
  }

  std::optional<std::size_t> find(std::string_view name) const {
    if (numbered_ && consecutive_) {
      const auto number = number_of(name);
      if (!number || *number < first_ || *number - first_ >= names_.size()) return std::nullopt;
      return *number - first_;
    }
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? std::nullopt : std::optional(found->second);
  }

  // Whether all feature names are numbers, as in LETOR text.
  bool numbered() const noexcept { return numbered_; }
  // A number after that of the last feature.
  bool is_beyond(std::string_view name) const {
    const auto number = number_of(name);
    return numbered_ && number && (names_.empty() || *number > *number_of(names_.back()));
  }

  // The numbered feature with the nearest number; of two, the lower.
  const std::string& nearest(std::uint64_t wanted) const {
    const auto distance = [&](const std::string& name) {
      const std::uint64_t number = *number_of(name);
      return number > wanted ? number - wanted : wanted - number;
    };
    return *std::min_element(
        names_.begin(), names_.end(),
        [&](const std::string& a, const std::string& b) { return distance(a) < distance(b); });
  }

  [[noreturn]] void reject(std::string_view name, ErrorCode code) const {
    if (numbered_ && !names_.empty())
      throw Error(code, fmt::format("no feature '{}': the data's features are numbered {} to {}",
                                    name, names_.front(), names_.back()));
    throw Error(code, fmt::format("no feature '{}' in the data{}", name, suggestion(name, names_)));
  }

 private:
  const std::vector<std::string>& names_;
  bool numbered_ = true, consecutive_ = true;
  std::uint64_t first_ = 0;                                    // the first feature's number
  std::unordered_map<std::string_view, std::size_t> by_name_;  // empty if they are consecutive
};

// Selects one item of a list: a feature, or "first-last". Names may contain '-'.
void select(std::string_view item, const FeatureIndex& index, std::vector<char>& selected) {
  if (const auto feature = index.find(item)) {
    selected[*feature] = 1;
    return;
  }
  for (std::size_t dash = item.find('-'); dash != item.npos; dash = item.find('-', dash + 1)) {
    const auto first = index.find(item.substr(0, dash)), last = index.find(item.substr(dash + 1));
    if (!first || !last) continue;
    if (*first > *last)
      throw Error(ErrorCode::usage, fmt::format("feature list: '{}' is in descending order", item));
    for (std::size_t f = *first; f <= *last; ++f) selected[f] = 1;
    return;
  }
  if (index.numbered() && item.find('-') != item.npos)
    for (const std::string_view end :
         {item.substr(0, item.find('-')), item.substr(item.find('-') + 1)})
      if (!index.find(end)) index.reject(end, ErrorCode::usage);
  index.reject(item, ErrorCode::usage);
}

}  // namespace

std::vector<std::string> parse_feature_list(std::string_view list, const Dataset& data) {
  const FeatureIndex index(data);
  std::vector<char> selected(data.features(), 0);
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t comma = std::min(list.find(',', begin), list.size());
    std::string_view item = list.substr(begin, comma - begin);
    while (item.starts_with(' ')) item.remove_prefix(1);
    while (item.ends_with(' ')) item.remove_suffix(1);
    if (item.empty())
      throw Error(
          ErrorCode::usage,
          fmt::format("feature list '{}' has an empty item (write 1-10,15 or names)", list));
    select(item, index, selected);
    begin = comma + 1;
  }
  std::vector<std::string> names;
  for (std::size_t f = 0; f < selected.size(); ++f)
    if (selected[f]) names.push_back(data.feature_names()[f]);
  return names;
}

std::vector<std::size_t> find_features(const std::vector<std::string>& names, const Dataset& data) {
  const FeatureIndex index(data);
  std::vector<std::size_t> found;
  found.reserve(names.size());
  for (const std::string& name : names) {
    if (const auto feature = index.find(name)) {
      found.push_back(*feature);
    } else if (index.is_beyond(name)) {
      found.push_back(kNoFeature);
    } else {
      index.reject(name, ErrorCode::data);
    }
  }
  return found;
}

std::size_t find_trained_feature(std::string_view wanting, const std::string& name,
                                 const Dataset& prepared) {
  const FeatureIndex index(prepared);
  if (const auto feature = index.find(name)) return *feature;
  const auto number = number_of(name);
  if (!index.numbered() || !number || prepared.features() == 0)
    throw Error(ErrorCode::usage, fmt::format("{}: no feature '{}' in the data{}", option(wanting),
                                              name, suggestion(name, prepared.feature_names())));
  throw Error(ErrorCode::usage,
              fmt::format("{}: feature '{}' occurs in no document, or was not selected; the {} "
                          "that does is {}",
                          option(wanting), name, index.is_beyond(name) ? "highest" : "nearest",
                          index.nearest(*number)));
}

}  // namespace podium

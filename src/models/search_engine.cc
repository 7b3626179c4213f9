#include "models/search_engine.h"

#include <charconv>
#include <compare>
#include <limits>
#include <span>

#include <fmt/format.h>

#include "podium/error.h"

namespace podium {
namespace {

struct EngineVersion {
  unsigned major, minor;
  auto operator<=>(const EngineVersion&) const = default;
};

struct EngineRule {
  std::string_view engine, format;
  EngineVersion since;
  MissingRule missing;
};
// The last row of an engine that is not after the version holds.
constexpr EngineRule kEngineRules[] = {
    {"opensearch", "elasticsearch", {0, 0}, MissingRule::zero},
    {"opensearch", "elasticsearch", {3, 3}, MissingRule::no},
    {"opensearch", "elasticsearch", {3, 8}, MissingRule::split},
    {"elasticsearch", "elasticsearch", {0, 0}, MissingRule::zero},
    {"elasticsearch", "elasticsearch", {9, 0}, MissingRule::split},
    {"solr", "solr", {0, 0}, MissingRule::zero},
    {"solr", "solr", {9, 2}, MissingRule::split},
};

[[noreturn]] void refuse_engine(std::string_view target, std::string_view why) {
  throw Error(ErrorCode::usage, fmt::format("‹target›: '{}' {}", target, why));
}

// A dot and what follows the minor version say nothing.
EngineVersion parse_version(std::string_view target, std::string_view text) {
  EngineVersion version{0, std::numeric_limits<unsigned>::max()};
  const char* const end = text.data() + text.size();
  const auto [dot, error] = std::from_chars(text.data(), end, version.major);
  bool is_version = error == std::errc() && (dot == end || *dot == '.');
  if (is_version && dot != end) {
    const auto [stop, wrong] = std::from_chars(dot + 1, end, version.minor);
    is_version = wrong == std::errc() && (stop == end || *stop == '.');
  }
  if (!is_version) refuse_engine(target, "has no version, as in opensearch:3.3 or solr:9");
  return version;
}

}  // namespace

SearchEngine parse_search_engine(std::string_view target) {
  const std::size_t colon = target.find(':');
  const std::string_view name = target.substr(0, colon);
  const EngineRule* found = nullptr;
  for (const EngineRule& rule : kEngineRules)
    if (rule.engine == name) found = &rule;
  if (!found)
    refuse_engine(target, "is none of opensearch:VERSION, elasticsearch:VERSION and solr:VERSION");
  const EngineVersion version = parse_version(
      target, colon == std::string_view::npos ? std::string_view() : target.substr(colon + 1));
  if (name == "opensearch" && version == EngineVersion{3, 2})
    refuse_engine(target,
                  "is not supported: reports about how OpenSearch 3.2 treats missing values "
                  "disagree; opensearch:3.1 takes them as 0, opensearch:3.3 fails every test");
  for (const EngineRule& rule : kEngineRules)
    if (rule.engine == name && rule.since <= version) found = &rule;
  return {std::string(target), found->format, found->missing};
}

}  // namespace podium

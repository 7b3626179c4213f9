// The first line `## NAME` names the ranker; further lines that begin with `##` are comments.
#include "models/importers/ranklib_file.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "models/importers/ranklib_xml.h"
#include "models/importers/text_lines.h"

namespace podium {
namespace {

constexpr std::array kTrees = {"LambdaMART", "MART", "Random Forests"};
constexpr std::string_view kWithBias = "Linear Regression";  // as the weight of feature 0
constexpr std::array<std::string_view, 3> kLinear = {"Coordinate Ascent", "AdaRank", kWithBias};

bool is_one_of(const auto& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void read_weights(std::string_view line, const TextLines& lines, RankLibFile& out) {
  for (const std::string_view word : words(line)) {
    const std::size_t colon = word.find(':');
    if (colon == std::string_view::npos)
      lines.fail(fmt::format("'{}' is not feature:weight", TextLines::shown(word)));
    const double weight = lines.real(word.substr(colon + 1));
    if (!std::isfinite(weight)) lines.fail("a weight is not finite");
    const auto feature = lines.whole<std::uint32_t>(word.substr(0, colon));
    if (feature == 0 && out.ranker != kWithBias)
      lines.fail(fmt::format("'{}': features are counted from 1, and {} has no bias",
                             TextLines::shown(word), out.ranker));
    out.weights.emplace_back(feature, weight);
  }
}

void read_thresholds(std::string_view line, const TextLines& lines, RankLibFile& out) {
  for (const std::string_view word : words(line)) {
    const std::size_t first = word.find(':'), second = word.rfind(':');
    if (first == second || first == std::string_view::npos)
      lines.fail(fmt::format("'{}' is not feature:threshold:weight", TextLines::shown(word)));
    const auto feature = lines.whole<std::uint32_t>(word.substr(0, first));
    const double threshold = lines.real(word.substr(first + 1, second - first - 1));
    const double weight = lines.real(word.substr(second + 1));
    if (feature == 0 || !std::isfinite(weight))
      lines.fail(fmt::format("'{}' is not feature:threshold:weight", TextLines::shown(word)));
    out.thresholds.push_back({feature, threshold, weight});
  }
}

}  // namespace

RankLibFile parse_ranklib(std::string_view content, const std::string& file) {
  TextLines lines(content, file);
  std::string_view line;
  RankLibFile out;
  if (!lines.next(line) || !line.starts_with("##"))
    lines.fail_at(1, "not a RankLib model: the first line does not begin with '##'");
  out.ranker = std::string(trimmed(line.substr(2)));
  const bool trees = is_one_of(kTrees, out.ranker), linear = is_one_of(kLinear, out.ranker);
  if (!trees && !linear && out.ranker != "RankBoost")
    lines.fail(fmt::format("RankLib's '{}' cannot be imported; {}, {} and RankBoost can",
                           TextLines::shown(out.ranker), fmt::join(kTrees, ", "),
                           fmt::join(kLinear, ", ")));
  while (lines.next(line)) {
    if (line.starts_with("##") || trimmed(line).empty()) continue;
    if (trees) {
      out.ensembles = parse_ensembles(line, lines);
    } else if (linear) {
      read_weights(line, lines, out);
    } else {
      read_thresholds(line, lines, out);
    }
  }
  if (out.ensembles.empty() && out.weights.empty() && out.thresholds.empty())
    lines.fail("the file has no model after its first lines");
  return out;
}

}  // namespace podium

#include "cli/label_buckets.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "measures/bucket_limits.h"

namespace podium::cli {
namespace {

std::optional<std::vector<float>> numbers_in(std::string_view list) {
  std::vector<float> numbers;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t comma = std::min(list.find(',', begin), list.size());
    float number = 0;
    const char* const end = list.data() + comma;
    const auto [stop, error] = std::from_chars(list.data() + begin, end, number);
    if (error != std::errc() || stop != end || !std::isfinite(number)) return {};
    numbers.push_back(number);
    begin = comma + 1;
  }
  return numbers;
}

// A number of buckets, or edges. Returns what is wrong, as CLI11 wants it.
std::string read_buckets(const std::string& text, LabelBuckets& buckets) {
  const auto numbers = numbers_in(text);
  const std::string example = "5 (buckets), or edges such as 1,10,100";
  if (!numbers) return fmt::format("'{}' is not {}", text, example);
  if (numbers->size() == 1) {
    const float count = numbers->front();
    const std::string problem = bucket_count_problem(count);
    if (!problem.empty()) return fmt::format("'{}' is not {}: {}", text, problem, example);
    buckets.count = static_cast<std::size_t>(count);
    return {};
  }
  buckets.edges = *numbers;
  return label_edges_problem(buckets.edges);
}

}  // namespace

void LabelBuckets::add(CLI::App& command, const std::string& group) {
  command
      .add_option("--bucket-labels",
                  "make grades 0, 1, … of labels: N buckets with equally many distinct labels "
                  "each, or those between given edges (1,10,100: a label of 10 is in bucket 2)")
      ->check(
          CLI::Validator([this](const std::string& text) { return read_buckets(text, *this); }, ""))
      ->type_name("N|EDGES")
      ->group(group);
}

}  // namespace podium::cli

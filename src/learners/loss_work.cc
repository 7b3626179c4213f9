#include "learners/loss_work.h"

#include <algorithm>

#include <fmt/format.h>

#include "losses/loss_cost.h"

namespace podium {
namespace {

constexpr std::size_t kLongList = 2000;  // shorter ones are what everybody has
constexpr double kLongSeconds = 60, kManyBytes = 1e9;

std::string duration(double seconds) {
  if (seconds < 10) return fmt::format("{:.1g} s", seconds);
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  if (seconds < 7200) return fmt::format("{:.0f} minutes", seconds / 60);
  if (seconds < 172800) return fmt::format("{:.0f} hours", seconds / 3600);
  return fmt::format("{:.0f} days", seconds / 86400);
}

std::string with_commas(std::size_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

}  // namespace

void note_work(const Loss& loss, const Dataset& data, std::int64_t rounds, Context& context) {
  double seconds = 0, longest_seconds = 0, bytes = 0;
  std::size_t longest = 0, lists = 0;
  for (std::size_t q = 0; q < data.queries(); ++q) {
    const std::size_t documents = data.end(q) - data.begin(q);
    if (documents < kLongList) continue;
    const ListCost cost = list_cost(loss, documents);
    seconds += cost.seconds;
    longest_seconds = std::max(longest_seconds, cost.seconds);
    bytes = std::max(bytes, cost.bytes);
    longest = std::max(longest, documents);
    ++lists;
  }
  // Lists are spread over threads, one list is not.
  const auto threads = static_cast<double>(
      std::min(static_cast<std::size_t>(context.pool.threads()), std::max<std::size_t>(lists, 1)));
  seconds = std::max(longest_seconds, seconds / threads);
  bytes *= threads;
  const double all = static_cast<double>(rounds) * seconds;
  if (all < kLongSeconds && bytes < kManyBytes) return;
  std::string takes;
  if (all >= kLongSeconds) {
    takes = fmt::format(": about {} a round", duration(seconds));
    if (rounds > 1) takes += fmt::format(", {} for {} rounds", duration(all), rounds);
  }
  if (bytes >= kManyBytes)
    takes += fmt::format("{} about {:.1f} GB", takes.empty() ? ":" : ",", bytes / 1e9);
  context.observer.note(
      fmt::format("{} on lists of up to {} documents{}", loss.name(), with_commas(longest), takes));
}

}  // namespace podium

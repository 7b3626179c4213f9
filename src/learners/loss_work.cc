#include "learners/loss_work.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "core/work_text.h"
#include "losses/loss_cost.h"

namespace podium {
namespace {

constexpr std::size_t kLongList = 2000;  // no notes for shorter lists
constexpr double kLongSeconds = 60, kManyBytes = 1e9;
constexpr double kUsualEvaluations = 200;  // of a cutting-plane training run

// One evaluation on the long lists of the data.
struct LongWork {
  double seconds = 0, bytes = 0;
  std::size_t longest = 0;  // list
};

std::size_t count_grades(std::span<const float> labels) {
  std::vector<float> grades(labels.begin(), labels.end());
  std::sort(grades.begin(), grades.end());
  return static_cast<std::size_t>(std::unique(grades.begin(), grades.end()) - grades.begin());
}

LongWork long_work(const Loss& loss, const Dataset& data, const Context& context) {
  LongWork work;
  double longest_seconds = 0;
  std::size_t lists = 0;
  for (std::size_t q = 0; q < data.queries(); ++q) {
    const std::size_t documents = data.end(q) - data.begin(q);
    if (documents < kLongList) continue;
    const ListCost cost = list_cost(loss, documents, count_grades(data.labels(q)));
    work.seconds += cost.seconds;
    longest_seconds = std::max(longest_seconds, cost.seconds);
    work.bytes = std::max(work.bytes, cost.bytes);
    work.longest = std::max(work.longest, documents);
    ++lists;
  }
  // Lists are distributed over threads; a single list is not.
  const auto threads = static_cast<double>(
      std::min(static_cast<std::size_t>(context.pool.threads()), std::max<std::size_t>(lists, 1)));
  work.seconds = std::max(longest_seconds, work.seconds / threads);
  work.bytes *= threads;
  return work;
}

}  // namespace

void note_work(const Loss& loss, const Dataset& data, std::int64_t rounds, Context& context,
               double evaluations) {
  const LongWork work = long_work(loss, data, context);
  const double seconds = evaluations * work.seconds;
  const double all = static_cast<double>(rounds) * seconds;
  if (all < kLongSeconds && work.bytes < kManyBytes) return;
  std::string takes;
  if (all >= kLongSeconds) {
    takes = fmt::format(": about {} per round", duration_text(seconds));
    if (rounds > 1) takes += fmt::format(", {} for {} rounds", duration_text(all), rounds);
  }
  if (work.bytes >= kManyBytes)
    takes += fmt::format("{} about {:.1f} GB", takes.empty() ? ":" : ",", work.bytes / 1e9);
  context.observer.note(fmt::format("{} on lists of up to {} documents{}", loss.name(),
                                    with_commas(work.longest), takes));
}

void note_cutting_planes(const Loss& loss, const Dataset& data, Context& context) {
  const LongWork work = long_work(loss, data, context);
  if (kUsualEvaluations * work.seconds < kLongSeconds) return;
  context.observer.note(
      fmt::format("{} on lists of up to {} documents: about {} each time it is evaluated, which "
                  "each pass of the training does several times",
                  loss.name(), with_commas(work.longest), duration_text(work.seconds)));
}

}  // namespace podium

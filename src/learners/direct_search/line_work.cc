#include "learners/direct_search/line_work.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/work_text.h"

namespace podium {
namespace {

constexpr std::size_t kLongListOfLines = 2000, kDeepestTopOfLines = 128;
constexpr double kLongRound = 60;  // seconds
// Seconds for a document of the first ranks; for a crossing of two documents, of a relevant and
// another one only, and of two after which the measure is re-evaluated (per document).
constexpr double kTopDocument = 1e-7, kCrossing = 2.5e-8, kRelevantCrossing = 3e-9, kAnew = 4e-9;

}  // namespace

double line_seconds(const Measure& objective, std::size_t documents) {
  const auto n = static_cast<double>(documents);
  if (std::min(objective.depth(), documents) <= kDeepestTopOfLines) return kTopDocument * n;
  switch (objective.form().kind) {
    case MeasureForm::Kind::constant:
      return 0;
    case MeasureForm::Kind::precision:
    case MeasureForm::Kind::first:
    case MeasureForm::Kind::pairs:
      return kRelevantCrossing * n * n;
    case MeasureForm::Kind::additive:
    case MeasureForm::Kind::cascade:
      return kCrossing * n * n;
    case MeasureForm::Kind::general:
      break;
  }
  return (kCrossing + kAnew * n) * n * n;
}

void note_line_work(const Measure& objective, const Dataset& data, std::size_t lines,
                    Context& context) {
  double seconds = 0;  // for one line through the long lists
  std::size_t longest = 0;
  for (std::size_t q = 0; q < data.queries(); ++q) {
    const std::size_t documents = data.end(q) - data.begin(q);
    if (documents < kLongListOfLines) continue;
    seconds += line_seconds(objective, documents);
    longest = std::max(longest, documents);
  }
  // Lists and climbs are distributed over threads; a line of one list is not.
  const double round =
      std::max(seconds * static_cast<double>(lines) / context.pool.threads(), seconds);
  if (round < kLongRound) return;
  context.observer.note(
      fmt::format("exact searches for {} on lists of up to {} documents: about {} per line, {} for "
                  "the {} lines of a round",
                  objective.name(), with_commas(longest), duration_text(seconds),
                  duration_text(round), with_commas(lines)));
}

}  // namespace podium

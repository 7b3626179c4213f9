#include "learners/label_check.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "measures/label_notes.h"
#include "podium/error.h"
#include "podium/option_text.h"

namespace podium {
namespace {

// How the learner's options say that a label is its own gain.
std::string linear_gain(const ChosenLearner& learner) {
  const auto values = learner.settings.values();
  const auto has = [&](std::string_view name) {
    return std::any_of(values.begin(), values.end(),
                       [&](const auto& value) { return value.first == name; });
  };
  if (has("gain")) return option("gain", "linear");
  if (has("targets")) return option("targets", "linear");
  return "gain=linear in the " + option("loss");
}

bool labels_are_equal(std::span<const float> labels) {
  return std::all_of(labels.begin(), labels.end(), [&](float y) { return y == labels[0]; });
}

// Of labels that differ, and yet are nothing to learn from.
std::string labels_alike(const LabelUse& use) {
  if (use.relevant_from)
    return fmt::format(
        "only relevant or only non-relevant documents (labels from {} on, see "
        "‹relevant-from›)",
        *use.relevant_from);
  return use.ignores_negative ? "no label above 0 (labels below 0 gain as little as 0)"
                              : "labels that count the same";
}

}  // namespace

void require_grades(const ChosenLearner& learner, const Dataset& train, Communicator& comm) {
  const std::optional<SharedLoss> loss = learner.learner->loss();
  if (!loss || (*loss)->label_use().growth != LabelUse::Growth::exp2) return;
  const double highest = label_range(train.labels(), comm).max;
  if (highest <= kHighestGrade) return;
  throw Error(ErrorCode::data,
              fmt::format("the label {} is not a grade (0 to {}): the loss {} counts 2^label − 1, "
                          "so that little but a query's highest label matters; {}",
                          highest, kHighestGrade, (*loss)->name(),
                          instead_of_exponents(linear_gain(learner))));
}

void note_training_labels(const ChosenLearner& learner, std::span<const MeasurePtr> measures,
                          const Dataset& train, Context& context) {
  std::vector<LabelUser> users = label_users(measures);
  if (const std::optional<SharedLoss> loss = learner.learner->loss())
    users.insert(users.begin(), {"the loss " + (*loss)->name(), (*loss)->label_use()});
  const LabelRange labels = label_range(train.labels(), context.comm);
  for (const std::string& note : label_notes(labels, users)) context.observer.note(note);
}

std::string why_no_query(const Dataset& data, const Loss& loss, Communicator& comm) {
  std::array<std::int64_t, 4> counts = {};  // queries with what the texts below say
  for (std::size_t q = 0; q < data.queries(); ++q) {
    const auto labels = data.labels(q);
    counts[labels.size() < 2           ? 0
           : labels_are_equal(labels)  ? 1
           : data.query_weight(q) == 0 ? 2
                                       : 3] += 1;
  }
  comm.all_reduce_sum(counts);
  const std::array<std::string, 4> texts = {"one document", "documents of one grade", "weight 0",
                                            labels_alike(loss.label_use())};
  std::vector<std::string> reasons;
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (counts[i] > 0) reasons.push_back(texts[i]);
  return fmt::format("no query contributes to the loss {}: each has {}", loss.name(),
                     fmt::join(reasons, ", or "));
}

}  // namespace podium

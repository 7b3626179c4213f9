#include "measures/label_notes.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "distributed/over_ranks.h"

namespace podium {
namespace {

// "nDCG@10, AP and 3 more"
std::string names_text(const std::vector<std::string>& names) {
  constexpr std::size_t kNamed = 3;
  const std::size_t shown = std::min(names.size(), kNamed);
  const auto end = names.begin() + static_cast<std::ptrdiff_t>(shown);
  if (names.size() > shown)
    return fmt::format("{} and {} more", fmt::join(names.begin(), end, ", "), names.size() - shown);
  if (shown == 1) return names[0];
  return fmt::format("{} and {}", fmt::join(names.begin(), end - 1, ", "), *(end - 1));
}

// One way of not fitting: for whom it is one, and the line about them.
struct Misfit {
  std::function<bool(const LabelUse&)> concerns;
  std::function<std::string(const std::string& names, const LabelUse& first)> line;
};

std::vector<Misfit> misfits_of(const LabelRange& labels) {
  using Growth = LabelUse::Growth;
  std::vector<Misfit> misfits;
  const auto add_growth = [&](Growth growth, std::string_view gain, const std::string& instead) {
    misfits.push_back({[=](const LabelUse& use) { return use.growth == growth; },
                       [=](const std::string& names, const LabelUse&) {
                         return fmt::format(
                             "labels above {} are not grades: by the gain {}, little "
                             "but a query's highest label matters in {}; {}",
                             kHighestGrade, gain, names, instead_of_exponents(instead));
                       }});
  };
  if (labels.max > kHighestGrade) {
    add_growth(Growth::exp2, "2^label − 1", "gain=linear");
    add_growth(Growth::e, "e^label", "target=gains,gain=linear");
  }
  misfits.push_back({[&](const LabelUse& use) { return use.top && labels.max > *use.top; },
                     [](const std::string& names, const LabelUse& use) {
                       return fmt::format("labels above {0} count as {0} in {1}", *use.top, names);
                     }});
  if (labels.fractions)
    misfits.push_back({[](const LabelUse& use) { return use.cuts_fractions; },
                       [](const std::string& names, const LabelUse&) {
                         return fmt::format(
                             "labels with fractions count as the whole number below in {}", names);
                       }});
  if (labels.max > 0)
    misfits.push_back(
        {[&](const LabelUse& use) { return use.relevant_from && labels.max < *use.relevant_from; },
         [](const std::string& names, const LabelUse& use) {
           return fmt::format(
               "no label reaches {}, from which on documents are relevant in {}; a "
               "lower limit is given by rel= or ‹relevant-from›",
               *use.relevant_from, names);
         }});
  if (labels.min < 0)
    misfits.push_back({[](const LabelUse& use) { return use.ignores_negative; },
                       [](const std::string& names, const LabelUse&) {
                         return fmt::format("labels below 0 gain as little as 0 in {}", names);
                       }});
  return misfits;
}

}  // namespace

LabelRange label_range(std::span<const float> labels, Communicator& comm) {
  double max = -INFINITY, low = -INFINITY;  // of the labels, and of their negatives
  bool fractions = false;
  for (const float label : labels) {
    if (std::isnan(label)) continue;  // not judged
    max = std::max<double>(max, label);
    low = std::max<double>(low, -label);
    fractions = fractions || label != std::trunc(label);
  }
  max = max_over_ranks(max, comm);
  low = max_over_ranks(low, comm);
  if (!std::isfinite(max)) return {};
  return {-low, max, on_any_rank(fractions, comm)};
}

std::vector<LabelUser> label_users(std::span<const MeasurePtr> measures) {
  std::vector<LabelUser> users;
  for (const MeasurePtr& measure : measures)
    users.push_back({measure->name(), measure->label_use()});
  return users;
}

std::vector<std::string> label_notes(const LabelRange& labels, std::span<const LabelUser> users) {
  std::vector<std::string> notes;
  for (const Misfit& misfit : misfits_of(labels)) {
    std::vector<std::string> names;
    const LabelUse* first = nullptr;
    for (const LabelUser& user : users) {
      if (!misfit.concerns(user.use)) continue;
      if (!first) first = &user.use;
      if (user.use.top == first->top && user.use.relevant_from == first->relevant_from)
        names.push_back(user.name);
    }
    if (first) notes.push_back(misfit.line(names_text(names), *first));
  }
  return notes;
}

void note_labels(std::span<const float> labels, std::span<const MeasurePtr> measures,
                 Context& context) {
  const LabelRange range = label_range(labels, context.comm);
  for (const std::string& note : label_notes(range, label_users(measures)))
    context.observer.note(note);
}

std::string instead_of_exponents(const std::string& gain) {
  return fmt::format(
      "use {}, a table of gains, or grades made by `podium prepare ‹bucket-labels 5›`", gain);
}

}  // namespace podium

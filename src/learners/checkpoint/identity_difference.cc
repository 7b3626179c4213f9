// Describes the difference between two training runs.
#include <fmt/format.h>

#include "learners/checkpoint/training_identity.h"

namespace podium {
namespace {

using IdentityParts = TrainingIdentity::Named;

std::string shown(const std::string& value) {
  constexpr std::size_t kLongest = 80;
  if (value.empty()) return "not given";
  return value.size() <= kLongest ? value : value.substr(0, kLongest) + "…";
}

// "NAME was OLD, now NEW" for the first difference, or "".
std::string first_difference(const IdentityParts& kept, const IdentityParts& now) {
  for (std::size_t i = 0; i < kept.size() && i < now.size(); ++i) {
    if (kept[i].first != now[i].first)
      return fmt::format("it has {}, but this one has {}", kept[i].first, now[i].first);
    if (kept[i].second != now[i].second)
      return fmt::format("{} was {}, now {}", kept[i].first, shown(kept[i].second),
                         shown(now[i].second));
  }
  if (kept.size() == now.size()) return {};
  return fmt::format("{} is {}",
                     (kept.size() > now.size() ? kept[now.size()] : now[kept.size()]).first,
                     kept.size() > now.size() ? "no longer there" : "new");
}

}  // namespace

std::string why_another(const TrainingIdentity& kept, const TrainingIdentity& now) {
  if (const std::string why = first_difference(kept.options, now.options); !why.empty())
    return "the checkpoint belongs to another training run: " + why;
  if (const std::string why = first_difference(kept.data, now.data); !why.empty())
    return "the checkpoint belongs to other data: " + why;
  return {};
}

}  // namespace podium

// Makes one model of several: features in the order in which members first name them, categories
// with the values of all members, so that each member still finds its own.
#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include <fmt/format.h>

#include "core/overloaded.h"
#include "models/model_kinds.h"
#include "podium/error.h"
#include "podium/model.h"

namespace podium {
namespace {

std::vector<BlendMember> flattened(std::vector<BlendMember> members) {
  std::vector<BlendMember> out;
  for (BlendMember& member : members) {
    std::vector<BlendMember> inner = members_of(member.saved.model);
    if (inner.empty()) {
      out.push_back(std::move(member));
      continue;
    }
    for (BlendMember& part : inner) {
      part.weight *= member.factor();
      out.push_back(std::move(part));
    }
  }
  return out;
}

void require_addable(const BlendMember& member) {
  if (!std::isfinite(member.weight) || !std::isfinite(member.factor()) || !(member.scale > 0))
    throw Error(ErrorCode::usage, "a blend's weights must be finite, and its scales above 0");
  if (member.saved.training.on_top_of_scores)
    throw Error(ErrorCode::usage,
                fmt::format("a model of {} was trained on top of given scores, which a blend does "
                            "not have",
                            member.saved.learner));
}

// The features of all members, and for categories all their values.
class FeatureUnion {
 public:
  void add(const SavedModel& saved) {
    for (std::size_t f = 0; f < saved.features.size(); ++f) {
      const std::string& name = saved.features[f];
      const Strings* const values = saved.schema.values(f);
      const auto [found, is_new] = places_.try_emplace(name, names_.size());
      if (is_new) names_.push_back(name);
      if (!is_new && is_category(found->second) != (values != nullptr))
        throw Error(
            ErrorCode::usage,
            fmt::format("'{}' is a category for one member and a number for another", name));
      if (values) add_values(found->second, *values);
    }
  }
  const std::vector<std::string>& names() const noexcept { return names_; }
  FeatureSchema schema() const {
    std::vector<FeatureSchema::Category> categories;
    for (const auto& [feature, values] : values_)
      categories.push_back({static_cast<std::uint32_t>(feature), make_strings(values)});
    return categories.empty() ? FeatureSchema() : FeatureSchema(std::move(categories));
  }

 private:
  bool is_category(std::size_t feature) const { return values_.contains(feature); }
  void add_values(std::size_t feature, const Strings& values) {
    std::vector<std::string>& all = values_[feature];
    for (std::size_t k = 0; k < values.size(); ++k) all.emplace_back(values[k]);
    std::sort(all.begin(), all.end(), category_precedes);
    all.erase(std::unique(all.begin(), all.end()), all.end());
  }

  std::vector<std::string> names_;
  std::unordered_map<std::string, std::size_t> places_;
  std::map<std::size_t, std::vector<std::string>> values_;
};

// The columns that some member ignores and none uses.
std::vector<std::string> ignored_by(std::span<const BlendMember> members,
                                    const std::vector<std::string>& used) {
  std::vector<std::string> names;
  for (const BlendMember& member : members)
    for (const std::string& name : member.saved.schema.ignored())
      if (std::find(used.begin(), used.end(), name) == used.end() &&
          std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
  return names;
}

}  // namespace

SavedModel make_blend(std::vector<BlendMember> given) {
  std::vector<BlendMember> members = flattened(std::move(given));
  if (members.empty()) throw Error(ErrorCode::usage, "a blend needs a member");
  FeatureUnion features;
  for (const BlendMember& member : members) {
    require_addable(member);
    features.add(member.saved);
  }
  SavedModel out;
  out.learner = "blend";
  out.measure = members.front().saved.measure;
  out.missing = "members";
  out.features = features.names();
  out.schema = features.schema().with_ignored(ignored_by(members, features.names()));
  out.training = members.front().saved.training;
  out.training.validation.clear();
  out.training.certificate.reset();
  out.training.useless.clear();
  out.training.best_iteration = 0;
  out.model = Blend{features.names(), std::move(members)};
  return out;
}

}  // namespace podium

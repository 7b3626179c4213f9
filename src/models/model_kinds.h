// Properties of a model's kind that are needed in several places. All code that depends on the kind
// visits the variant with one overload per kind (never get_if, holds_alternative or a generic
// default), so that the compiler lists everything that a new kind needs.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

#include "podium/error.h"
#include "podium/model.h"

namespace podium {

// The name in model files.
constexpr std::string_view kind_name(std::type_identity<Linear>) noexcept {
  return "linear";
}
constexpr std::string_view kind_name(std::type_identity<Forest>) noexcept {
  return "forest";
}
constexpr std::string_view kind_name(std::type_identity<Mlp>) noexcept {
  return "mlp";
}
constexpr std::string_view kind_name(std::type_identity<Blend>) noexcept {
  return "blend";
}
std::string_view kind_name(const Model& model);

// nullopt if the kind has no trees; of all members of a blend.
std::optional<std::size_t> tree_count(const Model& model);

// For operations that only one kind supports; throws `otherwise` for the others.
const Linear& require_linear(const Model& model, const Error& otherwise);
const Forest& require_forest(const Model& model, const Error& otherwise);
// A copy of the members, or none for other kinds.
std::vector<BlendMember> members_of(const Model& model);

}  // namespace podium

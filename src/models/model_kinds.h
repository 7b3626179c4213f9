// What several places ask about a model's kind. Whatever depends on the kind visits the variant
// with one overload per kind, here and everywhere (never get_if, holds_alternative or a generic
// default): that is what lets the compiler list the places that a new kind must be taught to.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>

#include "podium/error.h"
#include "podium/model.h"

namespace podium {

// As the model file names it.
constexpr std::string_view kind_name(std::type_identity<Linear>) noexcept {
  return "linear";
}
constexpr std::string_view kind_name(std::type_identity<Forest>) noexcept {
  return "forest";
}
constexpr std::string_view kind_name(std::type_identity<Mlp>) noexcept {
  return "mlp";
}
std::string_view kind_name(const Model& model);

// None: the kind is not made of trees.
std::optional<std::size_t> tree_count(const Model& model);

// For what only one kind can do; `otherwise` is thrown for the others.
const Linear& require_linear(const Model& model, const Error& otherwise);
const Forest& require_forest(const Model& model, const Error& otherwise);

}  // namespace podium

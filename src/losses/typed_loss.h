// A loss made from its options as a value; they determine its name.
#pragma once

#include <memory>
#include <string_view>

#include "core/spec.h"
#include "podium/loss.h"

namespace podium {

template <class Options>
std::string loss_name(std::string_view row, const OptionTable<Options>& table,
                      const Options& options) {
  return format_spec(row, table.fields(), table.settings(options));
}

// For losses that store their name and their options.
template <class Made, class Options>
std::unique_ptr<const Loss> make_typed(std::string_view row, const OptionTable<Options>& table,
                                       const Options& options) {
  return std::make_unique<Made>(loss_name(row, table, options), options);
}

}  // namespace podium

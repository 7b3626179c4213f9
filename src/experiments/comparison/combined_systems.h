// Systems of a comparison that are made of several models:
//
//   auto    the search of podium/auto.h on the training part; candidates are judged by the
//           validation part. It needs ‹trials›: with a budget of time, and with ‹max-latency›, the
//           results would depend on the machine.
//   blend   its members are trained, and tuned, as if they were systems; their weights are found on
//           the validation part (podium/blend.h)
//
// Both maximise the first measure of the comparison.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/comparison/cell.h"

namespace podium {

// The options that users may give to such a system.
std::vector<Field> combination_fields(const System& system);
bool is_blend_option(std::string_view name);
// Usage Error for wrong or missing options.
void require_combination(const System& system);

// nullopt after a stop request. Throws an Error if training fails.
std::optional<SavedModel> train_combined(const System& system, const TrainingTerms& terms,
                                         PreparedFold& fold, Context& context);

// The record of such a cell: `chosen` has the weights of the members.
CellRecord combined_cell(const System& system, const std::string& fold, const SavedModel& saved,
                         const TrainingTerms& terms, const FoldData& data, Context& context);

}  // namespace podium

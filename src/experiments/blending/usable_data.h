// Whether data can judge models: refusals and notes, said before any work is done.
#pragma once

#include <string_view>

#include "podium/context.h"
#include "podium/dataset.h"

namespace podium {

// Data Error if no query has documents of different grades: then every ranking is as good as any.
// `what`: "training data", for the message.
void require_grades_that_differ(const Dataset& data, std::string_view what);

// The queries of `data` that `train` has, too, with the same labels and features.
std::size_t queries_in_common(const Dataset& train, const Dataset& data, Context& context);

}  // namespace podium

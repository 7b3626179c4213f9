// LETOR / SVMlight text: `<label> qid:<id> <feature>:<value> … # comment`, one document a line.
// docs/formats/letor.md says all that is accepted.
#pragma once

#include <string>

#include "core/text_source.h"
#include "data/assemble.h"
#include "podium/context.h"
#include "podium/data_io.h"
#include "podium/dataset.h"

namespace podium {

// `around`: the file's name and what the side files hold.
Dataset read_letor(TextSource& source, const ReadOptions& options, Surroundings around,
                   Context& context);

}  // namespace podium

// LETOR / SVMlight text: `<label> qid:<id> <feature>:<value> … # comment`, one document a line.
// docs/formats/letor.md says all that is accepted.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/text_source.h"
#include "data/formats/assemble.h"
#include "podium/context.h"
#include "podium/data_io.h"
#include "podium/dataset.h"

namespace podium {

// One block, or one line. `categories`: the columns, ascending, that hold codes of categories.
RowPiece parse_letor(const TextBlock& block, const ReadOptions& options,
                     std::span<const std::uint32_t> categories = {});

// `around`: the file's name and what is beside it. All ranks of the context call this together,
// with texts of their own.
Dataset read_letor(TextSource& source, const ReadOptions& options, RowContext around,
                   Context& context);

}  // namespace podium

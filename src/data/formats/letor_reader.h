// LETOR / SVMlight text: `<label> qid:<id> <feature>:<value> … # comment`, one document per line.
// docs/formats/letor.md describes everything that is accepted.
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

// `around`: the file's name and side files. Collective: all ranks of the context must call it, each
// with its own text.
Dataset read_letor(TextSource& source, const ReadOptions& options, RowContext around,
                   Context& context);

}  // namespace podium

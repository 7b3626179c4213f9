// CSV and TSV with a header line (RFC 4180 quotes; a quoted field ends on its line).
// docs/formats/csv.md says all that is accepted.
#pragma once

#include "core/text_source.h"
#include "data/assemble.h"
#include "podium/context.h"
#include "podium/data_io.h"
#include "podium/dataset.h"

namespace podium {

Dataset read_csv(TextSource& source, char separator, const ReadOptions& options,
                 Surroundings around, Context& context);

}  // namespace podium

// Reads qrels and runs: blocks of lines in parallel, lines grouped by topic, duplicates refused.
#pragma once

#include <string>

#include "core/text_source.h"
#include "measures/trec_lines.h"
#include "podium/trec.h"

namespace podium {

// `path`: for error messages.
TrecFile read_trec(TextSource& source, const std::string& path, const TrecFormat& format,
                   Context& context);

}  // namespace podium

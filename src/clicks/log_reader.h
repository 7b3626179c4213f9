// Click logs from any source of text: see podium/click_log.h.
#pragma once

#include <functional>
#include <string>

#include "clicks/log_piece.h"
#include "core/text_source.h"
#include "podium/click_log.h"

namespace podium {

// add(piece, header, lines of the file before it) for each block of the log, in order, while the
// next ones are parsed. Throws the first mistake of the file.
using AddLogPiece = std::function<void(const LogPiece&, const LogHeader&, std::size_t)>;
void read_log_pieces(TextSource& source, const std::string& file, const AddLogPiece& add,
                     Context& context);
TextLimits log_limits();

ClickLog read_click_log(TextSource& source, const std::string& file, const ClickLogOptions& options,
                        const Dataset* data, KeptSessions kept, Context& context);

}  // namespace podium

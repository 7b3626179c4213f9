// Click logs from any source of text: see podium/click_log.h.
#pragma once

#include <string>

#include "core/text_source.h"
#include "podium/click_log.h"

namespace podium {

ClickLog read_click_log(TextSource& source, const std::string& file, const ClickLogOptions& options,
                        const Dataset* data, KeptSessions kept, Context& context);

}  // namespace podium

// Parses the comment after a row: `docid = X … host = Y`, or the document's id as its first word.
#pragma once

#include <string_view>

namespace podium {

struct RowComment {
  std::string_view docid, host;  // empty: not given
};

// `text` is the part after the '#'.
RowComment parse_comment(std::string_view text);

}  // namespace podium

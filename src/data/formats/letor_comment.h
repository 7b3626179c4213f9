// What the comment after a row says: `docid = X … host = Y`, or the document's id as its first
// word.
#pragma once

#include <string_view>

namespace podium {

struct RowComment {
  std::string_view docid, host;  // empty: not said
};

// `text` is what stands after the '#'.
RowComment parse_comment(std::string_view text);

}  // namespace podium

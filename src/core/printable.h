// Text from files and command lines as terminals may have it. A name can hold any bytes, and some
// of them are commands to a terminal.
#pragma once

#include <string>
#include <string_view>

namespace podium {

// Control characters (below U+0020, and U+007F to U+009F), those that turn the direction of text
// (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069) or end a line (U+2028, U+2029), and
// bytes that are no UTF-8, as \xNN: the text stays in its line and its column, and is shown in the
// order of its bytes. Everything else as it is.
std::string printable(std::string_view text);
// The same, but line ends and tabs stay: for text that is laid out already.
std::string printable_lines(std::string_view text);
// A JSON text, which says \u009b where it has such a character.
std::string printable_json(std::string_view json);

}  // namespace podium

// Makes text from files and command lines safe for terminals. A name can hold any bytes, and some
// of them are terminal commands.
#pragma once

#include <string>
#include <string_view>

namespace podium {

// Writes as \xNN: control characters (below U+0020, and U+007F to U+009F), characters that change
// the direction of text (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069) or end a line
// (U+2028, U+2029), and bytes that are not valid UTF-8. So the text stays on its line and in its
// column, and is shown in byte order. Everything else is unchanged.
std::string printable(std::string_view text);
// The same, but keeps line ends and tabs: for text that is already laid out.
std::string printable_lines(std::string_view text);
// A JSON text, with such characters written as \u009b.
std::string printable_json(std::string_view json);

}  // namespace podium

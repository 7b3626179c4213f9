# cmake -DFILE=page.html -DOUT=page.cc -DHEADER=x/page.h -DFUNCTION=page -P embed_page.cmake: writes the
# file's bytes as C++, returned by the function that the header declares.
file(READ ${FILE} bytes HEX)
string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE ${OUT} "// Generated from ${FILE}.
#include \"${HEADER}\"

namespace podium {

std::string_view ${FUNCTION}() noexcept {
  static constexpr unsigned char kPage[] = {
${bytes}0};
  return {reinterpret_cast<const char*>(kPage), sizeof kPage - 1};
}

}  // namespace podium
")

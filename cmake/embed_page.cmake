# cmake -DFILE=page.html -DOUT=report_page.cc -P embed_page.cmake: the file's bytes as C++.
file(READ ${FILE} bytes HEX)
string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE ${OUT} "// Generated from ${FILE}.
#include \"experiments/report_page.h\"

namespace podium {
namespace {

constexpr unsigned char kPage[] = {
${bytes}0};

}  // namespace

std::string_view report_page() noexcept {
  return {reinterpret_cast<const char*>(kPage), sizeof kPage - 1};
}

}  // namespace podium
")

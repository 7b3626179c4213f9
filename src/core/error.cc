#include "podium/error.h"

#include "podium/option_text.h"

namespace podium {
namespace {

std::string with_place(std::string_view message, const Place& where) {
  std::string text = where.file;
  if (where.line) text.append(1, ':').append(std::to_string(where.line));
  if (!text.empty()) text.append(": ");
  return text.append(message);
}

}  // namespace

Error::Error(ErrorCode code, std::string_view message, Place where)
    : std::runtime_error(with_place(message, where)),
      code_(code),
      where_(std::move(where)),
      message_(message) {}

std::string Error::option() const {
  return leading_option(message_);
}

}  // namespace podium

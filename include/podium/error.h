// Errors with a location. Their texts name options as described in option_text.h. Thrown only at
// boundaries (readers, option parsing, make, bind, load); the front ends turn one into the single
// line `podium: error: FILE:LINE: what is wrong`.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace podium {

enum class ErrorCode {
  usage,     // wrong command line or option value: exit code 2
  data,      // the content of a user's file is wrong
  file,      // a file cannot be read or written
  training,  // training cannot continue
  group,     // other ranks cannot be reached, or have failed
  device,    // a GPU fails, or has too little memory
};

// Where in the user's data: a file, and a line counted from 1 (0: the file as a whole).
struct Place {
  std::string file;
  std::size_t line = 0;
};

class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, std::string_view message, Place where = {});

  ErrorCode code() const noexcept { return code_; }
  const Place& where() const noexcept { return where_; }
  // The message without its location; what() has both.
  const std::string& message() const noexcept { return message_; }
  // The option whose value is wrong, which the message begins with; "" if there is none.
  std::string option() const;

 private:
  ErrorCode code_;
  Place where_;
  std::string message_;
};

}  // namespace podium

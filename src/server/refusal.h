// A request that is refused: the status, and a reason for {"error": reason}.
#pragma once

#include <stdexcept>
#include <string>

namespace podium {

class Refusal : public std::runtime_error {
 public:
  // `unread`: the body was not read, so the connection must be closed.
  enum class Body { read, unread };
  Refusal(int status, const std::string& reason, Body body = Body::read)
      : std::runtime_error(reason), status_(status), body_(body) {}

  int status() const noexcept { return status_; }
  Body body() const noexcept { return body_; }

 private:
  int status_;
  Body body_;
};

}  // namespace podium

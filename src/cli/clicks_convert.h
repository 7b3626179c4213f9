// podium clicks convert: other systems' logs as click logs.
#pragma once

#include <string>

#include "cli/command.h"

namespace podium::cli {

class ClicksConvert {
 public:
  void add(CLI::App& command);
  void run(Frame& frame) const;

 private:
  std::string queries_, events_, output_;
  FieldOptions fields_;
};

}  // namespace podium::cli

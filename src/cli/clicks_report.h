// podium clicks report: one page about a click log.
#pragma once

#include <string>
#include <vector>

#include "cli/click_files.h"
#include "cli/command.h"
#include "cli/data_options.h"

namespace podium::cli {

class ClicksReport {
 public:
  void add(CLI::App& command, ClickFiles& clicks);
  void run(const ClickFiles& clicks, Frame& frame) const;

 private:
  void check(const ClickFiles& clicks) const;

  std::string models_ = "pbm,harvest,dbn,ctr-rank", data_, interleaving_, output_;
  std::vector<std::string> rankers_;
  double held_out_ = 0.1, alpha_ = 0.05;
  DataOptions reading_;
  FieldOptions fit_, value_;
};

}  // namespace podium::cli

#include "cli/click_files.h"

#include <algorithm>

#include <fmt/format.h>

namespace podium::cli {

void ClickFiles::add(CLI::App& command, Needed needed) {
  CLI::Option* const option =
      command.add_option("--clicks", path_, "click log (TSV or CSV)")->type_name("FILE");
  if (needed == Needed::required) option->required();
  fields_.add(command, click_log_option_table().fields(), "Click log");
}

void ClickFiles::check() const {
  if (const Assignments others = fields_.given(); !given() && !others.empty())
    throw Error(ErrorCode::usage, fmt::format("--{} needs --clicks", others[0].first));
}

ClickLog ClickFiles::read(const Dataset* data, double held_out, KeptSessions kept,
                          Context& context) const {
  const auto& table = click_log_option_table();
  ClickLogOptions options = table.read(Settings(table.fields(), fields_.given()));
  options.held_out = held_out;
  return read_click_log(path_, options, data, kept, context);
}

std::string action_named(const std::vector<std::string>& arguments,
                         std::span<const char* const> actions) {
  if (arguments.size() < 2) return {};
  const auto found = std::find(actions.begin(), actions.end(), arguments[1]);
  return found == actions.end() ? "" : *found;
}

}  // namespace podium::cli

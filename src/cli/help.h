// `podium help TOPIC`, as the arguments of the command that shows it.
#pragma once

#include <string>
#include <vector>

namespace podium::cli {

// {"help", "train"} is {"train", "--help"}; also learners, losses and measures by name. Other
// arguments are returned as they are. Usage Error for an unknown topic.
std::vector<std::string> without_help_command(std::vector<std::string> arguments);

}  // namespace podium::cli

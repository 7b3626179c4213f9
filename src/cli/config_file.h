// Options from a TOML file: `--config FILE`. Keys are the names of options; those in a section,
// [train], apply to that command alone and go before keys at the top. The command line goes before
// the file. Every error names the file and the line.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace podium::cli {

struct ConfigSetting {
  std::string section;  // "" at the top of the file
  std::string key;
  std::vector<std::string> values;  // one, or those of a list
  Place place;
};

// Every setting of the file, in its order. The part of TOML that options need: text in quotes,
// numbers, true, false, and lists of these. Usage Error on anything else.
std::vector<ConfigSetting> parse_config(const std::string& text, const std::string& file);

class Configuration {
 public:
  // Takes `--config FILE` out of the arguments, and reads the file. For `train` and `tune`, the
  // learner may come from it, too: it is added to the arguments.
  explicit Configuration(std::vector<std::string>& arguments);

  // The file's options as arguments for this command, without those that the user gives.
  std::vector<std::string> arguments_for(const CLI::App& command,
                                         const std::vector<std::string>& given) const;
  // Whether an error without a place is about an option that the file sets; and the error with the
  // file and the line of that.
  bool sets_option_of(const Error& error) const;
  Error located(const Error& error) const;

 private:
  const ConfigSetting* setting_of(const Error& error) const;
  const ConfigSetting* find(const std::string& key) const;

  std::vector<ConfigSetting> settings_;  // of the command, one per key
};

}  // namespace podium::cli

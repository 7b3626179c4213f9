#include "cli/interface.h"

#include <algorithm>
#include <array>
#include <sstream>

#include "podium/evaluator.h"
#include "podium/export.h"
#include "podium/learner.h"
#include "podium/loss.h"
#include "podium/measure.h"
#include "podium/transform.h"
#include "podium/version.h"

namespace podium::cli {
namespace {

// What shell completion offers for an option's value: "file", "folder", or a kind of name.
std::string offered(const std::string& command, const std::string& option,
                    const std::string& type) {
  constexpr std::array<std::pair<std::string_view, const char*>, 9> kNames = {{
      {"LEARNER", "learner"},
      {"--learners", "learner"},
      {"LOSS", "loss"},
      {"--loss", "loss"},
      {"--measure", "measure"},
      {"--measures", "measure"},
      {"--convention", "convention"},
      {"--normalize", "normalization"},
      {"--to", "format"},
  }};
  if (type.find("FILE") != type.npos || type == "OUT" || type.ends_with(".run")) return "file";
  if (type == "DIR") return "folder";
  for (const auto& [name, kind] : kNames)
    if (option == name) return kind;
  if (option != "NAME") return {};
  if (command == "learners") return "learner";
  if (command == "losses") return "loss";
  return command == "measures" ? "measure" : "";
}

// "{a,b}" as names.
Json choices_in(const std::string& braced) {
  Json names = Json::array();
  std::istringstream list(braced.substr(1, braced.size() - 2));
  for (std::string name; std::getline(list, name, ',');) names.push_back(name);
  return names;
}

Json option_json(const std::string& command, const CLI::Option& option) {
  Json names = Json::array();
  if (option.get_positional()) names.push_back(option.get_name(true));
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  Json json = {{"names", names},
               {"help", option.get_description()},
               {"group", option.get_group()},
               {"required", option.get_required()},
               {"repeats", option.get_items_expected_max() > 1}};
  const std::string type = option.get_type_name();  // "TYPE", "TYPE:{a,b}" or "{a,b}"
  if (type.empty()) return json;                    // a flag
  const std::size_t brace = type.find('{');
  const std::string shown = type.substr(0, type.find(':'));
  json["value"] = shown;
  if (brace != type.npos)
    json["choices"] = choices_in(type.substr(brace));
  else if (const std::string kind = offered(command, names.back(), shown); !kind.empty())
    json["offer"] = kind;
  return json;
}

// The options of `podium ARGUMENTS…` for which the predicate holds.
template <class Keep>
Json command_json(const Command& command, const std::vector<std::string>& arguments, Keep keep) {
  Frame frame(arguments);
  CLI::App app(command.summary, command.name);
  frame.add_general_options(app);
  command.declare(app, frame);
  Json options = Json::array();
  for (const CLI::Option* option : app.get_options())
    if (keep(*option)) options.push_back(option_json(command.name, *option));
  return {{"name", command.name},
          {"summary", command.summary},
          {"footer", app.get_footer()},
          {"options", options}};
}

Json learner_json(const Entry<Learner>& entry) {
  const auto all = commands();
  const auto train = std::find_if(all.begin(), all.end(), [](const Command& command) {
    return command.declare == declare_train;
  });
  const std::string name(entry.name);
  const auto is_own = [](const CLI::Option& option) {
    return option.get_group().starts_with("Options of ");
  };
  return {{"name", name},
          {"summary", entry.summary},
          {"options", command_json(*train, {train->name, name}, is_own)["options"]}};
}

template <class List>
Json names_of(const List& list) {
  Json names = Json::array();
  for (const auto& item : list) names.push_back(item.name);
  return names;
}
template <class T>
Json names_of(const Catalog<T>& catalog) {
  Json names = Json::array();
  for (const Entry<T>* entry : catalog.entries()) names.push_back(entry->name);
  return names;
}

}  // namespace

Json interface_json() {
  Json all = Json::array(), learner_list = Json::array();
  for (const Command& command : commands())
    all.push_back(command_json(command, {command.name}, [](const auto&) { return true; }));
  for (const Entry<Learner>* entry : learners().entries())
    learner_list.push_back(learner_json(*entry));
  return {{"version", PODIUM_VERSION},
          {"commands", all},
          {"learners", learner_list},
          {"names",
           {{"learner", names_of(learners())},
            {"loss", names_of(losses())},
            {"measure", names_of(measures())},
            {"convention", names_of(conventions())},
            {"normalization", normalization_names()},
            {"format", names_of(export_formats())}}}};
}

}  // namespace podium::cli

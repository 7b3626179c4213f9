#include "cli/help.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "cli/command.h"
#include "podium/learner.h"
#include "podium/loss.h"
#include "podium/measure.h"

namespace podium::cli {
namespace {

// What one of them is called, and the command that lists them.
constexpr std::array<std::pair<std::string_view, const char*>, 3> kKinds = {
    {{"learner", "learners"}, {"loss", "losses"}, {"measure", "measures"}}};

bool is_command(const std::string& name) {
  const auto all = commands();
  return std::any_of(all.begin(), all.end(), [&](const Command& one) { return name == one.name; });
}

// The command that describes a learner, a loss or a measure of this name; "" where there is none.
std::string list_with(const std::string& name) {
  if (learners().find(name)) return "learners";
  if (losses().find(name)) return "losses";
  return measures().find(name) ? "measures" : "";
}

template <class T>
void add_names(const Catalog<T>& catalog, std::vector<std::string>& names) {
  for (const Entry<T>* entry : catalog.entries()) names.emplace_back(entry->name);
}

std::vector<std::string> help_topics() {
  std::vector<std::string> topics;
  for (const Command& command : commands()) topics.emplace_back(command.name);
  add_names(learners(), topics);
  add_names(losses(), topics);
  add_names(measures(), topics);
  return topics;
}

}  // namespace

std::vector<std::string> without_help_command(std::vector<std::string> arguments) {
  if (arguments.empty() || arguments[0] != "help") return arguments;
  arguments.erase(arguments.begin());
  if (arguments.empty()) return {"--help"};
  std::string& topic = arguments[0];
  if (topic.starts_with('-') || topic == "help") return {"help", "--help"};
  for (const auto& [one, list] : kKinds)
    if (topic == one) topic = list;
  if (is_command(topic)) {
    const bool lists = std::any_of(kKinds.begin(), kKinds.end(),
                                   [&](const auto& kind) { return topic == kind.second; });
    if (!lists) arguments.emplace_back("--help");
    return arguments;
  }
  const std::string cut = topic.substr(0, topic.find_first_of("@("));  // nDCG@10
  for (const std::string& name : {topic, cut})
    if (const std::string list = list_with(name); !list.empty()) return {list, name};
  const std::vector<std::string> known = help_topics();
  throw Error(ErrorCode::usage, fmt::format("no help on '{}'{} (podium help lists the commands)",
                                            topic, suggestion(topic, known)));
}

std::function<void()> declare_help(CLI::App& command, Frame&) {
  command.add_option("TOPIC", "a command, or the name of a learner, loss or measure");
  command.footer(
      "podium help shows the commands, podium help train the options of one, podium help train "
      "lambdamart also those of a learner, and podium help lambdamart only these.");
  return [] {};  // replaced by the topic's own command before parsing
}

}  // namespace podium::cli

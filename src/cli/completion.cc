// podium completion SHELL: prints the script that completes the program's options.
#include "cli/completion.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/interface.h"

namespace podium::cli {
namespace {

constexpr const char* kInstallingCompletion =
    "In the shell, or in its start-up file:\n"
    "  bash  source <(podium completion bash)\n"
    "  zsh   podium completion zsh > DIR/_podium, with DIR in $fpath\n"
    "  fish  podium completion fish | source\n"
    "The Debian package has installed these already.";

}  // namespace

bool is_positional(const Json& option) {
  return !option["names"][0].get_ref<const std::string&>().starts_with('-');
}

std::string offer_of(const Json& option) {
  return option.value("offer", "");
}

bool takes_list(const Json& option) {
  const std::string offer = offer_of(option);
  const auto& name = option["names"].back().get_ref<const std::string&>();
  return (offer == "learner" || offer == "measure") && name != "LEARNER" && name != "NAME";
}

std::string offered_words(const Json& option, const Json& interface) {
  std::vector<std::string> words;
  if (option.contains("choices"))
    words = option["choices"].get<std::vector<std::string>>();
  else if (const std::string kind = offer_of(option); interface["names"].contains(kind))
    words = interface["names"][kind].get<std::vector<std::string>>();
  return joined(words, " ");
}

bool has_learner(const Json& command) {
  const Json& options = command["options"];
  return std::any_of(options.begin(), options.end(), [](const Json& option) {
    return option["names"] == Json::array({"LEARNER"});
  });
}

std::string joined(const std::vector<std::string>& texts, std::string_view between) {
  return fmt::format("{}", fmt::join(texts, between));
}

std::string with_replaced(std::string_view text, char character, std::string_view by) {
  std::string out;
  for (const char c : text) c == character ? out += by : out += c;
  return out;
}

std::function<void()> declare_completion(CLI::App& command, Frame&) {
  auto shell = std::make_shared<std::string>();
  command.add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(one_of({"bash", "zsh", "fish"}));
  command.footer(kInstallingCompletion);
  return [shell] {
    const Json interface = interface_json();
    print(*shell == "bash"  ? bash_completion(interface)
          : *shell == "zsh" ? zsh_completion(interface)
                            : fish_completion(interface));
  };
}

}  // namespace podium::cli

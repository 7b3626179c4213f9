// podium: one program, many subcommands. This file parses, dispatches, and turns every error into
// one line and an exit code: 0 done, 1 failed, 2 wrong usage, 128 + N ended early by signal N.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <new>
#include <sstream>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/interface.h"
#include "cli/ranks.h"
#include "cli/terminate_handler.h"
#include "core/mapped_file.h"
#include "core/unfinished_files.h"
#include "core/unpack.h"
#include "core/vector_target.h"
#include "distributed/mpi/mpi_module.h"
#include "experiments/report/report_page.h"
#include "podium/error.h"
#include "podium/version.h"

namespace podium::cli {
namespace {

constexpr Command kCommands[] = {
    {"train", "train a ranking model", declare_train},
    {"score", "score documents with a model", declare_score},
    {"eval", "evaluate models, score files or TREC runs", declare_eval},
    {"compare", "cross-validate several learners, with significance", declare_compare},
    {"tune", "tune a learner's options on validation data", declare_tune},
    {"prepare", "clean, scale, select, split and convert data", declare_prepare},
    {"fuse", "combine TREC runs into one, without learning", declare_fuse},
    {"synth", "generate synthetic data with known structure", declare_synth},
    {"inspect", "show what is in data files and model files", declare_inspect},
    {"explain", "explain scores, or show a measure along one weight", declare_explain},
    {"export", "write a model in another tool's format", declare_export},
    {"import", "read another tool's model", declare_import},
    {"serve", "serve models over HTTP, or a results folder as a web page", declare_serve},
    {"learners", "list the learners, or show the options of one", declare_learners},
    {"losses", "list the losses, or show the options of one", declare_losses},
    {"check-loss", "check whether a loss's derivatives belong to a cost, and whether it is convex",
     declare_check_loss},
    {"measures", "list the measures, or show the parameters of one", declare_measures},
};

std::string version_text() {
  std::string text = fmt::format("podium {}\ncompiler ", PODIUM_VERSION);
#if defined(__clang__)
  text += fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#elif defined(__GNUC__)
  text += fmt::format("gcc {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
  return fmt::format("{}\nSIMD {}\nMPI {}\nreport {}\n", text, vector_target_name(vector_target()),
                     mpi_version(), report_page().empty() ? "none (built without npm)" : "yes");
}

bool names_option(const std::string& argument, const std::string& name) {
  if (name == "output" && argument.starts_with("-o")) return true;
  return argument == "--" + name || argument.starts_with("--" + name + "=");
}

// Whether the item is the command's: at the top, or in its section. A section without a command is
// an error.
bool concerns(const CLI::ConfigItem& item, const std::string& command, const std::string& path) {
  if (item.parents.empty()) return true;
  const auto is_named = [&](const Command& known) { return item.parents[0] == known.name; };
  if (item.parents.size() > 1 ||
      std::none_of(std::begin(kCommands), std::end(kCommands), is_named)) {
    std::vector<std::string> known;
    for (const Command& c : kCommands) known.emplace_back(c.name);
    throw Error(ErrorCode::usage,
                fmt::format("section '{}' is not named after a command{}",
                            fmt::join(item.parents, "."), suggestion(item.parents[0], known)),
                {path});
  }
  return item.parents[0] == command;
}

// The options of a TOML file as arguments: keys at the top, and those of the command's own section.
std::vector<std::string> read_config(const std::string& path, const std::string& command,
                                     const std::vector<std::string>& explicit_arguments) {
  constexpr std::int64_t kMaxConfigBytes = 1 << 20;
  const std::string text = read_file(path, kMaxConfigBytes);
  if (text.find('\0') != std::string::npos)
    throw Error(ErrorCode::usage, "not a TOML file: it contains bytes that are not text", {path});
  std::istringstream file(text);
  std::vector<std::string> arguments;
  for (const CLI::ConfigItem& item : CLI::ConfigTOML().from_config(file)) {
    if (!concerns(item, command, path)) continue;
    if (item.name == "++" || item.name == "--") continue;  // section marks
    if (item.name == "config")
      throw Error(ErrorCode::usage, "a configuration file cannot name another one", {path});
    const auto said = [&](const std::string& a) { return names_option(a, item.name); };
    if (std::any_of(explicit_arguments.begin(), explicit_arguments.end(), said)) continue;
    for (const std::string& value : item.inputs)
      arguments.push_back("--" + item.name + "=" + value);
  }
  return arguments;
}

// Replaces `--config FILE` by what the file says.
std::vector<std::string> expand_config(std::vector<std::string> arguments) {
  if (arguments.empty()) return arguments;
  std::string path;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    if (!names_option(arguments[i], "config")) continue;
    const bool joined = arguments[i] != "--config";
    if (!joined && i + 1 == arguments.size())
      throw Error(ErrorCode::usage, "--config needs a file");
    if (!path.empty()) throw Error(ErrorCode::usage, "--config is given twice");
    path = joined ? arguments[i].substr(9) : arguments[i + 1];
    const auto at = arguments.begin() + static_cast<std::ptrdiff_t>(i);
    arguments.erase(at, at + (joined ? 1 : 2));
    --i;
    if (path.empty()) throw Error(ErrorCode::usage, "--config needs a file");
  }
  if (path.empty()) return arguments;
  const auto extra = read_config(path, arguments[0], arguments);
  arguments.insert(arguments.end(), extra.begin(), extra.end());
  return arguments;
}

[[noreturn]] void unknown_argument(const CLI::App& app, const std::string& given) {
  std::vector<std::string> known;
  std::string plain = given.substr(0, given.find('='));
  if (given.starts_with('-')) {
    for (const CLI::Option* option : app.get_options())
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  } else {
    for (const Command& command : commands()) known.emplace_back(command.name);
  }
  throw Error(ErrorCode::usage, "unknown argument '" + plain + "'" + suggestion(plain, known));
}

std::string first_line(std::string text) {
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text;
}

int run(std::vector<std::string> arguments, MpiGroup* group) {
  vector_target();  // reports errors in PODIUM_SIMD first
  if (arguments == std::vector<std::string>{"--dump-interface"}) {  // for tools/write_interface.py
    print_json(interface_json());
    return 0;
  }
  arguments = expand_config(std::move(arguments));
  Frame frame(arguments, group);
  CLI::App app("Podium: train, evaluate, compare and ship ranking models.", "podium");
  app.set_version_flag("--version", version_text);
  app.require_subcommand(1);
  const auto is_named = [&](const Command& command) { return arguments[0] == command.name; };
  if (!arguments.empty() && !arguments[0].starts_with('-') &&
      std::none_of(std::begin(kCommands), std::end(kCommands), is_named))
    unknown_argument(app, arguments[0]);
  std::function<void()> chosen;
  std::vector<CLI::App*> subcommands;
  for (const Command& command : kCommands) {
    CLI::App* sub = app.add_subcommand(command.name, command.summary);
    subcommands.push_back(sub);
    if (arguments.empty() || !is_named(command)) continue;
    sub->set_version_flag("--version", version_text)->group("General");
    frame.add_general_options(*sub);
    sub->allow_extras();
    chosen = command.declare(*sub, frame);
  }
  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    app.parse(reversed);
    for (const CLI::App* sub : subcommands)
      if (sub->parsed() && sub->remaining_size() > 0) unknown_argument(*sub, sub->remaining()[0]);
  } catch (const CLI::ExtrasError&) {
    unknown_argument(app, arguments[0]);
  } catch (const CLI::Success& answer) {  // --help, --version
    const int code = app.exit(answer);
    if (!std::cout.flush()) throw Error(ErrorCode::file, "cannot write to standard output");
    return code;
  } catch (const CLI::ParseError& error) {
    const std::string hint = arguments.empty() || !chosen
                                 ? " (podium --help lists the commands)"
                                 : fmt::format(" (podium {} --help)", arguments[0]);
    throw Error(ErrorCode::usage, first_line(error.what()) + hint);
  }
  chosen();
  if (std::fflush(stdout) != 0) throw Error(ErrorCode::file, "cannot write to standard output");
  return frame.exit_code();
}

}  // namespace

std::span<const Command> commands() {
  return kCommands;
}

}  // namespace podium::cli

int main(int argc, char** argv) {
  podium::cli::install_terminate_handler();
  podium::cli::Ranks ranks;
  try {
    ranks.join();
    podium::install_truncation_handler();
    podium::remove_unfinished_on_signals();
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    ranks.require_possible(arguments);
    return ranks.finish(podium::cli::run(arguments, ranks.group()));
  } catch (const std::exception& error) {
    return ranks.fail(error);
  }
}

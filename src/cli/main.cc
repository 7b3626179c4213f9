// podium: one program, many subcommands. This file parses, dispatches, and turns every error into
// one line and an exit code: 0 done, 1 failed, 2 wrong usage, 128 + N ended early by signal N.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <new>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/config_file.h"
#include "cli/help.h"
#include "cli/interface.h"
#include "cli/other_names.h"
#include "cli/ranks.h"
#include "cli/terminate_handler.h"
#include "core/mapped_file.h"
#include "core/unfinished_files.h"
#include "core/vector_target.h"
#include "distributed/mpi/mpi_module.h"
#include "experiments/report/report_page.h"
#include "podium/error.h"
#include "podium/gpu.h"
#include "podium/version.h"

namespace podium::cli {
namespace {

constexpr Command kCommands[] = {
    {"train", "train a ranking model", declare_train},
    {"score", "score documents with a model", declare_score},
    {"eval", "evaluate models, score files or TREC runs", declare_eval},
    {"compare", "cross-validate several learners, with significance", declare_compare},
    {"tune", "tune a learner's options on validation data", declare_tune},
    {"auto", "find the best ranker within a budget, and estimate its quality", declare_auto},
    {"blend", "blend models into one, with weights that maximise a measure", declare_blend},
    {"prepare", "clean, scale, select, split and convert data", declare_prepare},
    {"fuse", "combine TREC runs into one, without learning", declare_fuse},
    {"synth", "generate synthetic data with known structure", declare_synth},
    {"clicks", "click logs: inspect, fit click models, judge documents, simulate, convert",
     declare_clicks},
    {"interleave", "compare two rankers with users: interleave lists, analyse their clicks",
     declare_interleave},
    {"inspect", "show what is in data files and model files", declare_inspect},
    {"explain", "explain scores, or show a measure along one weight", declare_explain},
    {"export", "write a model in another tool's format", declare_export},
    {"import", "read another tool's model", declare_import},
    {"serve", "serve models over HTTP, or a results folder as a web page", declare_serve},
    {"learners", "list the learners, or show the options of one", declare_learners},
    {"losses", "list the losses, or show the options of one", declare_losses},
    {"devices", "list the devices that grow trees and score: the CPU and GPUs", declare_devices},
    {"check-loss", "check whether a loss's derivatives belong to a cost, and whether it is convex",
     declare_check_loss},
    {"measures", "list the measures, or show the parameters of one", declare_measures},
    {"help", "show the help of a command, learner, loss or measure", declare_help},
    {"completion", "print the completion script of a shell", declare_completion},
};

std::string version_text() {
  std::string text = fmt::format("podium {}\ncompiler ", PODIUM_VERSION);
#if defined(__clang__)
  text += fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#elif defined(__GNUC__)
  text += fmt::format("gcc {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
  const std::string_view gpu = gpu_targets();
  return fmt::format("{}\nSIMD {}\nMPI {}\nGPU {}\nreport {}\n", text,
                     vector_target_name(vector_target()), mpi_version(),
                     gpu.empty() ? "no support (nvcc was not found)" : gpu,
                     report_page().empty() ? "none (built without npm)" : "yes");
}

[[noreturn]] void unknown_argument(const CLI::App& app, const std::string& given) {
  std::vector<std::string> known, longer;
  const std::string plain = given.substr(0, given.find('='));
  if (given.starts_with('-')) {
    for (const CLI::Option* option : app.get_options())
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  } else {
    for (const Command& command : commands()) known.emplace_back(command.name);
  }
  for (const std::string& name : known)
    if (plain.size() > 2 && name.starts_with(plain)) longer.push_back(name);
  constexpr std::size_t kFew = 4;
  if (longer.size() > 1 && longer.size() <= kFew)
    throw Error(ErrorCode::usage, fmt::format("unknown argument '{}', did you mean {}?", plain,
                                              fmt::join(longer, " or ")));
  const std::string unknown = "unknown argument '" + plain + "'";
  for (const std::string& own : own_names(plain))
    if (std::find(known.begin(), known.end(), own) != known.end())
      throw Error(ErrorCode::usage, unknown + ", did you mean " + own + "?");
  if (!given.starts_with('-') && app.get_option_no_throw("--data") &&
      access(given.c_str(), F_OK) == 0)
    throw Error(ErrorCode::usage, fmt::format("{}, did you mean --data {}?", unknown, given));
  throw Error(ErrorCode::usage, unknown + suggestion(plain, known));
}

// An argument that no option or command takes: misspelled options first, since what follows one may
// have become an argument by that.
void refuse_extras(const CLI::App& app) {
  const std::vector<std::string> extras = app.remaining();
  if (extras.empty()) return;
  const auto misspelled = std::find_if(extras.begin(), extras.end(), [](const std::string& one) {
    return one.starts_with('-') && one.size() > 1;
  });
  unknown_argument(app, misspelled == extras.end() ? extras[0] : *misspelled);
}

std::string first_line(std::string text) {
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text;
}

// The general help and the version, or the chosen command's.
int show_answer(CLI::App& app, const CLI::Success& answer) {
  const int code = app.exit(answer);
  if (!std::cout.flush()) throw Error(ErrorCode::file, "cannot write to standard output");
  return code;
}

// The command's code, or that of --help and --version.
int parse_and_run(CLI::App& app, const CLI::App* sub, const std::function<void()>& chosen,
                  Frame& frame) {
  const std::vector<std::string>& arguments = frame.arguments();
  if (arguments.empty())
    throw Error(ErrorCode::usage, "a command is needed, such as train (podium --help lists them)");
  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    app.parse(reversed);
    if (sub) refuse_extras(*sub);
  } catch (const CLI::ExtrasError&) {
    unknown_argument(app, arguments[0]);
  } catch (const CLI::Success& answer) {
    return show_answer(app, answer);
  } catch (const CLI::ParseError& error) {
    if (sub) refuse_extras(*sub);  // `--dat x`: what is missing is --data
    const std::string hint = sub ? fmt::format(" (podium {} --help)", arguments[0])
                                 : " (podium --help lists the commands)";
    throw Error(ErrorCode::usage, first_line(error.what()) + hint);
  }
  chosen();
  frame.show_profile();
  if (std::fflush(stdout) != 0) throw Error(ErrorCode::file, "cannot write to standard output");
  return frame.exit_code();
}

int run(std::vector<std::string> arguments, MpiGroup* group) {
  vector_target();  // reports errors in PODIUM_SIMD first
  if (arguments == std::vector<std::string>{"--dump-interface"}) {  // for tools/write_interface.py
    print_json(interface_json());
    return 0;
  }
  arguments = without_help_command(std::move(arguments));
  const Configuration configuration(arguments);
  Frame frame(arguments, group);
  CLI::App app("Podium: train, evaluate, compare and ship ranking models.", "podium");
  app.set_version_flag("--version", version_text);
  app.require_subcommand(1);
  const auto is_named = [&](const Command& command) { return arguments[0] == command.name; };
  if (!arguments.empty() && !arguments[0].starts_with('-') &&
      std::none_of(std::begin(kCommands), std::end(kCommands), is_named))
    unknown_argument(app, arguments[0]);
  std::function<void()> chosen;
  const CLI::App* chosen_app = nullptr;
  for (const Command& command : kCommands) {
    CLI::App* sub = app.add_subcommand(command.name, command.summary);
    if (arguments.empty() || !is_named(command)) continue;
    sub->set_version_flag("--version", version_text)->group("General");
    frame.add_general_options(*sub);
    sub->allow_extras();
    chosen = command.declare(*sub, frame);
    frame.add_arguments(configuration.arguments_for(*sub, arguments));
    chosen_app = sub;
  }
  try {
    return parse_and_run(app, chosen_app, chosen, frame);
  } catch (const Error& error) {
    if (configuration.sets_option_of(error)) throw configuration.located(error);
    throw;
  }
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

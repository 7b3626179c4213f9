// The frame for all subcommands: general options, observer, output. A command is one file with one
// function that declares its options on a CLI::App and returns what to run.
#pragma once

#include <CLI/CLI.hpp>
#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "podium/context.h"
#include "podium/error.h"
#include "podium/options.h"

namespace podium {
class MpiGroup;
}

namespace podium::cli {

using Json = nlohmann::ordered_json;

// A signal ended the work early.
class Interrupted : public Error {
 public:
  Interrupted(int signal, std::string_view message)
      : Error(ErrorCode::training, message), signal_(signal) {}
  int signal() const noexcept { return signal_; }

 private:
  int signal_;
};
// As in shells: 130 for Ctrl-C, 143 for SIGTERM.
constexpr int exit_code_of_signal(int signal) {
  return 128 + signal;
}

class Frame {
 public:
  // `group`: the ranks that mpirun started; null: a single process.
  explicit Frame(std::vector<std::string> arguments, MpiGroup* group = nullptr);
  ~Frame();

  // The arguments after the subcommand's name, before parsing; `train` looks for its learner there.
  const std::vector<std::string>& arguments() const noexcept { return arguments_; }

  // Those of a configuration file, which the command's declaration did not need.
  void add_arguments(const std::vector<std::string>& more);

  // --threads, --seed, --json, --quiet, --progress on a subcommand.
  void add_general_options(CLI::App& command);

  // --profile, for commands whose parallel work is worth looking at.
  void add_profile_option(CLI::App& command);

  // --device, for commands that grow trees or score with them.
  void add_device_option(CLI::App& command);

  bool json() const noexcept { return json_; }
  bool quiet() const noexcept { return quiet_; }
  std::uint64_t seed() const noexcept { return seed_; }
  MpiGroup* group() const noexcept { return group_; }
  // Created on first use, after parsing.
  Context& context();
  // After this call the first Ctrl-C (or SIGTERM) only requests a stop, and the second ends the
  // program.
  void stop_on_signal();
  // Throws an Error for stopped work; Interrupted if a signal requested it.
  [[noreturn]] void stopped(std::string_view message) const;
  // The work was stopped and its partial result has been saved: the program ends with the signal's
  // exit code. All ranks must call it; the signal may have been sent to another rank. SIGUSR1
  // requests exactly this, so its exit code is 0.
  void ended_early();
  int exit_code() const noexcept { return exit_code_; }

  // The command's one JSON object, with the profile if there is one.
  void print_report(Json report);
  // After the command, on standard error, unless it is in the JSON object.
  void show_profile();

 private:
  struct Running;
  std::vector<std::string> arguments_;
  MpiGroup* group_ = nullptr;
  int threads_ = 0;
  std::string device_ = "cpu";
  std::uint64_t seed_ = 1;
  bool json_ = false;
  bool quiet_ = false;
  bool profile_ = false;
  std::string progress_ = "text";
  int exit_code_ = 0;
  std::shared_ptr<std::atomic<int>> signal_ = std::make_shared<std::atomic<int>>(0);
  std::unique_ptr<Running> running_;
};

// Command-line options from an algorithm's field list. Only options that the user gave are
// assigned; the rest keep their defaults.
class FieldOptions {
 public:
  // `alias`: another name for the option `aliased`.
  void add(CLI::App& command, std::span<const Field> fields, const std::string& group,
           const std::string& aliased = {}, const std::string& alias = {});
  Assignments given() const;

 private:
  struct Bound {
    std::string name;
    CLI::Option* option;
    std::string text;
  };
  std::deque<Bound> bound_;  // stable addresses: CLI11 keeps pointers
};

// Checks that an option's value is one of these; the message has the nearest one.
CLI::Validator one_of(std::vector<std::string> names);

struct Command {
  const char* name;
  const char* summary;
  // Declares options; the returned function runs the command after parsing.
  std::function<void()> (*declare)(CLI::App& command, Frame& frame);
};
std::span<const Command> commands();

std::function<void()> declare_train(CLI::App& command, Frame& frame);
std::function<void()> declare_score(CLI::App& command, Frame& frame);
std::function<void()> declare_eval(CLI::App& command, Frame& frame);
std::function<void()> declare_prepare(CLI::App& command, Frame& frame);
std::function<void()> declare_fuse(CLI::App& command, Frame& frame);
std::function<void()> declare_synth(CLI::App& command, Frame& frame);
std::function<void()> declare_clicks(CLI::App& command, Frame& frame);
std::function<void()> declare_interleave(CLI::App& command, Frame& frame);
std::function<void()> declare_inspect(CLI::App& command, Frame& frame);
std::function<void()> declare_explain(CLI::App& command, Frame& frame);
std::function<void()> declare_export(CLI::App& command, Frame& frame);
std::function<void()> declare_import(CLI::App& command, Frame& frame);
std::function<void()> declare_compare(CLI::App& command, Frame& frame);
std::function<void()> declare_tune(CLI::App& command, Frame& frame);
std::function<void()> declare_auto(CLI::App& command, Frame& frame);
std::function<void()> declare_blend(CLI::App& command, Frame& frame);
std::function<void()> declare_serve(CLI::App& command, Frame& frame);
std::function<void()> declare_learners(CLI::App& command, Frame& frame);
std::function<void()> declare_losses(CLI::App& command, Frame& frame);
std::function<void()> declare_devices(CLI::App& command, Frame& frame);
std::function<void()> declare_check_loss(CLI::App& command, Frame& frame);
std::function<void()> declare_measures(CLI::App& command, Frame& frame);
std::function<void()> declare_help(CLI::App& command, Frame& frame);
std::function<void()> declare_completion(CLI::App& command, Frame& frame);

// The learner that a command's arguments name, or "": it must be known before parsing, because it
// determines which options exist.
std::string learner_named(const std::vector<std::string>& arguments);

// Options as a JSON object.
Json options_json(std::span<const std::pair<std::string, Value>> values);
// null for infinity and NaN, which JSON lacks.
Json number_or_null(double x);

// Prints one line (or one JSON object) on standard output, and checks for errors.
void print(std::string_view text);
// The object with the version of the program's JSON (docs/formats/json.md) as its first member.
Json with_schema(const Json& object);
// The object, with_schema.
void print_json(const Json& object);
// What was written where: nothing with --quiet.
void print_written(std::string_view text, const Frame& frame);
// Refuses --json when the output file is standard output too.
void require_free_stdout(const std::string& output, const Frame& frame);

}  // namespace podium::cli

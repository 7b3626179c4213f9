#include "cli/command.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <optional>
#include <thread>

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include "cli/flags.h"
#include "cli/profile.h"
#include "cli/progress.h"
#include "core/printable.h"
#include "core/unfinished_files.h"
#include "distributed/mpi/mpi_group.h"
#include "distributed/over_ranks.h"
#include "models/file/json_text.h"
#include "podium/error.h"
#include "podium/gpu.h"
#include "podium/learner.h"

namespace podium::cli {

struct Frame::Running {
  std::unique_ptr<WorkProfile> profile;
  std::shared_ptr<Observer> observer;
  ThreadPool pool;
  std::unique_ptr<Communicator> alone = make_local_communicator();
  std::stop_source stop;
  Context context;
  std::optional<DeviceStart> device_start;

  Running(int threads, std::uint64_t seed, ProgressStyle style, MpiGroup* group)
      : observer(make_progress(style)),
        pool(threads),
        context{seed, pool, group ? *group : *alone, *observer, stop.get_token()} {}
  Running(std::unique_ptr<WorkProfile> kept, std::uint64_t seed, ProgressStyle style,
          MpiGroup* group)
      : profile(std::move(kept)),
        observer(observe_phases(make_progress(style), *profile)),
        pool(*profile),
        context{seed, pool, group ? *group : *alone, *observer, stop.get_token()} {}
};

namespace {

// CLI11 would wrap negative numbers around and truncate large ones.
std::string seed_problem(const std::string& text) {
  std::uint64_t seed = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, seed);
  if (error == std::errc() && stop == end) return {};
  return fmt::format("'{}' is not a whole number from 0 to {}", text, UINT64_MAX);
}

// The placeholder for an option's value in the help: "{quantile,even}" if there are choices.
std::string type_name_of(const Field& field) {
  if (!field.choices.empty()) return fmt::format("{{{}}}", fmt::join(field.choices, ","));
  if (std::holds_alternative<double>(field.initial)) return "X";
  return std::holds_alternative<std::string>(field.initial) ? "TEXT" : "N";
}

// Whether an argument is an option that takes the next argument as its value.
bool takes_a_value(const std::string& argument) {
  constexpr std::string_view kFlags[] = {"--json",  "--quiet",   "--resume",   "--strict",
                                         "--force", "--profile", "--no-header"};
  return argument.starts_with("--") && argument.find('=') == std::string::npos &&
         std::find(std::begin(kFlags), std::end(kFlags), argument) == std::end(kFlags);
}

}  // namespace

Frame::Frame(std::vector<std::string> arguments, MpiGroup* group)
    : arguments_(std::move(arguments)), group_(group) {}
Frame::~Frame() = default;

void Frame::add_arguments(const std::vector<std::string>& more) {
  arguments_.insert(arguments_.end(), more.begin(), more.end());
}

void Frame::add_general_options(CLI::App& command) {
  const std::string group = "General";
  command.add_option("--threads", threads_, "threads to use (default: all cores)")
      ->check(CLI::Range(1, 1024))
      ->group(group);
  command.add_option("--seed", seed_, "random seed (default 1)")
      ->check(CLI::Validator(seed_problem, ""))
      ->group(group);
  command.add_flag("--json", json_, "print one JSON object instead of text")->group(group);
  command
      .add_flag("--quiet", quiet_,
                "print only errors and results: no progress, no notes, no word about files written")
      ->group(group);
  command.add_option("--progress", progress_, "progress on stderr: text or json (JSON lines)")
      ->check(one_of({"text", "json"}))
      ->group(group);
  // Consumed before parsing (main.cc); declared for --help.
  command
      .add_option("--config", "read options from a TOML file; the command line takes precedence")
      ->type_name("FILE")
      ->group(group);
}

void Frame::add_profile_option(CLI::App& command) {
  command
      .add_flag("--profile", profile_,
                "run in one thread and show, by phase, the work, the part that no number of "
                "threads can shorten, and the seconds to expect on 2 to 64 threads")
      ->group("General");
}

void Frame::add_device_option(CLI::App& command) {
  command
      .add_option(
          "--device", device_,
          "where trees are grown and scored: cpu, cuda (the first GPU), cuda:N, auto (a GPU "
          "if there is one) or emulated (a GPU's work on the CPU, for tests); the results "
          "are the same, byte for byte (default cpu)")
      ->type_name("DEVICE")
      ->group("General");
}

Context& Frame::context() {
  if (!running_) {
    const bool silent = quiet_ || (group_ && group_->rank() != 0);
    const auto style = silent                       ? ProgressStyle::quiet
                       : progress_ == "json"        ? ProgressStyle::json
                       : isatty(STDERR_FILENO) != 0 ? ProgressStyle::bar
                                                    : ProgressStyle::lines;
    running_ =
        profile_ ? std::make_unique<Running>(std::make_unique<WorkProfile>(), seed_, style, group_)
                 : std::make_unique<Running>(threads_, seed_, style, group_);
    running_->context.device = choose_device(device_, running_->context.comm);
    running_->device_start.emplace(running_->context.device);
  }
  return running_->context;
}

void Frame::stop_on_signal() {
  // Blocked before any thread exists, so that the signals reach only the thread that waits for
  // them.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  if (group_) sigaddset(&signals, SIGUSR1);  // mpirun forwards it without acting on it
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  context();
  std::thread([signals, stop = running_->stop, first = signal_,
               observer = std::weak_ptr<Observer>(running_->observer)]() mutable {
    int signal = 0;
    sigwait(&signals, &signal);
    if (const auto there = observer.lock())
      there->note("stopping; interrupt again to quit at once");
    *first = signal;
    stop.request_stop();
    sigwait(&signals, &signal);
    remove_unfinished();
    _exit(exit_code_of_signal(signal));
  }).detach();
}

void Frame::stopped(std::string_view message) const {
  if (const int signal = *signal_) throw Interrupted(signal, message);
  throw Error(ErrorCode::training, message);
}

void Frame::ended_early() {
  for (const int signal : {SIGINT, SIGTERM})
    if (on_any_rank(*signal_ == signal, context().comm)) exit_code_ = exit_code_of_signal(signal);
}

void Frame::print_report(Json report) {
  if (profile_) report["profile"] = profile_json(*context().pool.profile());
  print_json(report);
}

void Frame::show_profile() {
  if (profile_ && !json_ && running_) std::fputs(profile_text(*running_->profile).c_str(), stderr);
}

CLI::Validator one_of(std::vector<std::string> names) {
  const std::string shown = fmt::format("{{{}}}", fmt::join(names, ","));
  return CLI::Validator(
      [names = std::move(names)](const std::string& text) {
        if (std::find(names.begin(), names.end(), text) != names.end()) return std::string();
        return fmt::format("'{}' is not one of {}{}", text, fmt::join(names, ", "),
                           suggestion(text, names));
      },
      shown);
}

void FieldOptions::add(CLI::App& command, std::span<const Field> fields, const std::string& group,
                       const std::string& aliased, const std::string& alias) {
  for (const Field& field : fields) {
    Bound& bound = bound_.emplace_back(Bound{field.name, nullptr, {}});
    std::string help = with_flags(field.help);
    const std::string limits = field.range.text();
    const std::string initial = to_text(field.initial);
    if (!limits.empty()) help += fmt::format("; {}", limits);
    if (!initial.empty()) help += fmt::format(" (default {})", initial);
    if (std::holds_alternative<bool>(field.initial)) {
      bound.option = command.add_flag("--" + field.name, bound.text, help);
    } else {
      const std::string names =
          field.name == aliased ? "--" + field.name + ",--" + alias : "--" + field.name;
      bound.option = command.add_option(names, bound.text, help);
      bound.option->type_name(type_name_of(field));
    }
    bound.option->group(group);
  }
}

Assignments FieldOptions::given() const {
  Assignments given;
  for (const Bound& bound : bound_)
    if (bound.option->count() > 0) given.emplace_back(bound.name, bound.text);
  return given;
}

std::string learner_named(const std::vector<std::string>& arguments) {
  for (std::size_t i = 1; i < arguments.size(); ++i)
    if (learners().find(arguments[i]) && (i == 1 || !takes_a_value(arguments[i - 1])))
      return arguments[i];
  return {};
}

Json options_json(std::span<const std::pair<std::string, Value>> values) {
  Json object = Json::object();
  for (const auto& [name, value] : values) object[name] = value_json(value);
  return object;
}

Json number_or_null(double x) {
  return std::isfinite(x) ? Json(x) : Json(nullptr);
}

namespace {

void write_out(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size())
    throw Error(ErrorCode::file, "cannot write to standard output");
}

}  // namespace

void print(std::string_view text) {
  write_out(printable_lines(text));
}

void print_written(std::string_view text, const Frame& frame) {
  if (!frame.quiet()) print(text);
}

Json with_schema(const Json& object) {
  constexpr int kJsonSchema = 1;
  Json all = {{"schema", kJsonSchema}};
  all.update(object);
  return all;
}

void print_json(const Json& object) {
  const Json all = with_schema(object);
  write_out(printable_json(all.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"));
}

void require_free_stdout(const std::string& output, const Frame& frame) {
  if (output == "-" && frame.json())
    throw Error(ErrorCode::usage, "--json needs standard output for its report: give -o FILE");
}

}  // namespace podium::cli

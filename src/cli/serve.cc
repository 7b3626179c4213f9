// podium serve: serves models over HTTP (--model), or the report of a results folder, until Ctrl-C.
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/wait_for_stop.h"
#include "podium/error.h"
#include "server/address.h"
#include "server/live_page.h"
#include "server/scoring_server.h"
#include "server/token.h"

namespace podium::cli {
namespace {

constexpr char kTokenVariable[] = "PODIUM_TOKEN";

struct ServeOptions {
  std::string folder;
  std::vector<std::string> models;
  std::string interleave;  // two models: A,B
  double seconds = 10;
  double idle_seconds = 0;  // 0: the same as seconds
  ScoringOptions scoring;
};

void announce(const std::string& url, const Frame& frame) {
  if (frame.json())
    print_json(Json{{"url", url}});
  else
    print(fmt::format("{}\n", url));
  std::fflush(stdout);
}

void serve_results(const ServeOptions& options, Frame& frame) {
  if (!std::filesystem::is_directory(options.folder))
    throw Error(ErrorCode::file, "is not a folder; `podium compare -o DIR` creates one",
                {options.folder});
  frame.stop_on_signal();
  const LivePage page(options.folder, options.scoring.host, options.scoring.port);
  announce(page.url(), frame);
  wait_for_stop(frame.context().stop);
}

std::string token_of(const ServeOptions& options) {
  std::string token = options.scoring.token;
  if (const char* const variable = std::getenv(kTokenVariable); token.empty() && variable)
    token = variable;
  if (!token.empty() && !is_token(token))
    throw Error(
        ErrorCode::usage,
        fmt::format("--token and {} must be printable ASCII without spaces", kTokenVariable));
  return token;
}

constexpr const char* kLimits = "Limits";  // options for a server with models

std::chrono::milliseconds milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(1000 * seconds));
}

// Adds the two models to those that are served.
InterleavedModels interleaved_models(const std::string& argument, std::uint64_t seed,
                                     std::vector<NamedModelFile>& files) {
  const std::size_t comma = argument.find(',');
  if (comma == argument.npos || argument.find(',', comma + 1) != argument.npos)
    throw Error(ErrorCode::usage, "--interleave needs two models, A.json,B.json");
  InterleavedModels models;
  models.seed = seed;
  for (const bool is_a : {true, false}) {
    const NamedModelFile file =
        parse_model_argument(is_a ? argument.substr(0, comma) : argument.substr(comma + 1));
    (is_a ? models.a : models.b) = file.name;
    const auto known = std::find_if(files.begin(), files.end(), [&](const NamedModelFile& other) {
      return other.name == file.name && other.path == file.path;
    });
    if (known == files.end()) files.push_back(file);
  }
  if (models.a == models.b)
    throw Error(ErrorCode::usage, "--interleave needs two different models, A.json,B.json");
  return models;
}

void serve_models(const ServeOptions& options, Frame& frame) {
  std::vector<NamedModelFile> files;
  for (const std::string& argument : options.models)
    files.push_back(parse_model_argument(argument));
  ScoringOptions scoring = options.scoring;
  scoring.token = token_of(options);
  scoring.http.connection.request = milliseconds(options.seconds);
  scoring.http.connection.idle =
      milliseconds(options.idle_seconds > 0 ? options.idle_seconds : options.seconds);
  frame.stop_on_signal();
  Context& context = frame.context();
  scoring.threads = context.pool.threads();
  scoring.device = context.device;
  if (!options.interleave.empty())
    scoring.interleave = interleaved_models(options.interleave, context.seed, files);
  if (scoring.token.empty() && !is_loopback(scoring.host))
    context.observer.note(fmt::format(
        "anyone who can reach {} may send requests: set {} or --token to restrict access",
        scoring.host, kTokenVariable));
  const ScoringServer server(scoring, files,
                             [&context](const std::string& line) { context.observer.note(line); });
  announce(server.url(), frame);
  wait_for_stop(context.stop);
}

void declare_limits(CLI::App& command, ServeOptions& options) {
  const std::string group = kLimits;
  HttpLimits& http = options.scoring.http;
  command.add_option("--max-body", http.body_bytes, "maximum bytes per request (default 16777216)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 32))
      ->group(group);
  command
      .add_option("--max-documents", options.scoring.request.documents,
                  "maximum documents per request (default 10000)")
      ->check(CLI::Range(1, 10'000'000))
      ->group(group);
  command
      .add_option("--max-features", options.scoring.request.features,
                  "largest feature number in LETOR lines (default 1000000)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{4294967295}))
      ->group(group);
  command
      .add_option("--max-explained", options.scoring.explained_documents,
                  "maximum documents per request to explain (default 500)")
      ->check(CLI::Range(1, 10'000'000))
      ->group(group);
  command
      .add_option("--timeout", options.seconds,
                  "seconds a request may take to arrive, and to wait for its turn (default 10)")
      ->check(CLI::Range(0.1, 3600.0))
      ->group(group);
  command
      .add_option("--keep-alive", options.idle_seconds,
                  "seconds a connection may stay idle; when all connections are in use, the one "
                  "that has been idle longest is closed earlier (default: --timeout)")
      ->check(CLI::Range(0.1, 3600.0))
      ->group(group);
  command
      .add_option("--connections", http.connections,
                  "maximum open connections; --threads sets how many requests are computed at once "
                  "(default 64)")
      ->check(CLI::Range(1, 900))
      ->group(group);
}

}  // namespace

std::function<void()> declare_serve(CLI::App& command, Frame& frame) {
  auto options = std::make_shared<ServeOptions>();
  command.add_option("RESULTS", options->folder, "results folder written by podium compare -o")
      ->type_name("DIR");
  command
      .add_option("--model", options->models,
                  "a model to score with, FILE or NAME=FILE; repeat for several models")
      ->type_name("FILE")
      ->allow_extra_args(false);
  command
      .add_option("--interleave", options->interleave,
                  "two models whose lists /v1/interleave mixes by team-draft, with who owns which "
                  "document; --seed decides the coins")
      ->type_name("A.json,B.json");
  command.add_option("--port", options->scoring.port, "port; 0: any free one (default 8080)")
      ->check(CLI::Range(0, 65535));
  command.add_option("--host", options->scoring.host,
                     "address to listen on; 0.0.0.0 admits other machines (default 127.0.0.1)");
  command.add_option(
      "--token", options->scoring.token,
      "require this bearer token; the variable PODIUM_TOKEN keeps it off the command line");
  frame.add_device_option(command);
  declare_limits(command, *options);
  return [options, &command, &frame] {
    const bool with_models = !options->models.empty() || !options->interleave.empty();
    if (options->folder.empty() != with_models)
      throw Error(ErrorCode::usage,
                  "serve needs --model FILE (a model to score with) or RESULTS (a folder to show)");
    if (!with_models) {
      for (const CLI::Option* option : command.get_options())
        if (option->count() > 0 && (option->get_group() == kLimits ||
                                    option->check_lname("token") || option->check_lname("device")))
          throw Error(ErrorCode::usage, option->get_name() + " needs --model");
      serve_results(*options, frame);
    } else
      serve_models(*options, frame);
  };
}

}  // namespace podium::cli

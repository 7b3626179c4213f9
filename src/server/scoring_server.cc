#include "server/scoring_server.h"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <mutex>
#include <semaphore>
#include <stop_token>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "podium/error.h"
#include "podium/explain.h"
#include "podium/option_text.h"
#include "podium/options.h"
#include "server/address.h"
#include "server/answers.h"
#include "server/body_reader.h"
#include "server/metrics.h"
#include "server/refusal.h"
#include "server/token.h"
#include "server/try_page.h"

namespace podium {
namespace {

using Clock = std::chrono::steady_clock;
using HandlerResponse = httplib::Server::HandlerResponse;

constexpr std::chrono::seconds kLookAtFiles{1};
constexpr char kJson[] = "application/json";

struct Route {
  std::string_view path, method;
  enum class For { everybody, token_holders } open_to;
};
constexpr std::array<Route, 10> kRoutes = {{
    {"/", "GET", Route::For::everybody},
    {"/try.css", "GET", Route::For::everybody},
    {"/try.js", "GET", Route::For::everybody},
    {"/healthz", "GET", Route::For::everybody},
    {"/metrics", "GET", Route::For::token_holders},
    {"/v1/model", "GET", Route::For::token_holders},
    {"/v1/score", "POST", Route::For::token_holders},
    {"/v1/rank", "POST", Route::For::token_holders},
    {"/v1/explain", "POST", Route::For::token_holders},
    {"/v1/interleave", "POST", Route::For::token_holders},
}};

const Route* find_route(const std::string& path) {
  const auto found = std::find_if(kRoutes.begin(), kRoutes.end(),
                                  [&](const Route& route) { return route.path == path; });
  return found == kRoutes.end() ? nullptr : &*found;
}

bool is_reading(const httplib::Request& request) {
  return request.method == "GET" || request.method == "HEAD";
}

// It would not be read, and would be mistaken for the next request.
bool has_body(const httplib::Request& request) {
  return request.has_header("Transfer-Encoding") ||
         (request.has_header("Content-Length") &&
          request.get_header_value("Content-Length") != "0");
}

void answer(httplib::Response& response, int status, const std::string& reason,
            Refusal::Body body) {
  response.status = status;
  response.set_content(error_answer(reason), kJson);
  if (body == Refusal::Body::unread && !response.has_header("Connection"))
    response.set_header("Connection", "close");
}

}  // namespace

class ScoringServer::Service {
 public:
  Service(ScoringOptions options, const std::vector<NamedModelFile>& models,
          std::function<void(const std::string&)> say)
      : options_(std::move(options)),
        say_(std::move(say)),
        shelf_(models, options_.device),
        turns_(options_.threads),
        server_(options_.host, options_.port, options_.http) {
    for (const ServedModel& served : shelf_.all())
      if (options_.device.kind != Device::Kind::cpu && !served.model->uses_device())
        say_(fmt::format(
            "model {}: is scored on the CPU, as it has no trees, or normalizes features",
            served.name));
    add_rules();
    add_readings();
    add_computations();
    watcher_ = std::jthread([this](std::stop_token stop) { watch_files(stop); });
    server_.start();
  }
  ~Service() { server_.finish(); }

  int port() const noexcept { return server_.port(); }
  std::string url() const { return url_of(options_.host, server_.port()); }

 private:
  struct Task {
    const std::string name;  // of the model
    const CompiledModel& model;
    const ScoringRequest& request;
    const Dataset& documents;
  };
  using Compute = std::string (Service::*)(const Task&);

  void add_rules();
  void add_readings();
  void add_computations();
  void admit(const httplib::Request& request) const;
  void check_interleaving(const ScoringRequest& asked) const;
  void compute(Compute how, const httplib::Request& request, httplib::Response& response,
               const httplib::ContentReader& reader);
  std::string score(const Task& task);
  std::string rank(const Task& task);
  std::string explain(const Task& task);
  std::string interleave(const Task& task);
  std::string metrics_text() const;
  void watch_files(std::stop_token stop);

  ScoringOptions options_;
  std::function<void(const std::string&)> say_;
  ServedModels shelf_;
  Metrics metrics_;
  std::counting_semaphore<> turns_;  // for computing
  HttpServer server_;
  std::jthread watcher_;
};

void ScoringServer::Service::watch_files(std::stop_token stop) {
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any stopped;
  while (!stop.stop_requested()) {
    stopped.wait_for(lock, stop, kLookAtFiles, [] { return false; });
    if (!stop.stop_requested()) shelf_.refresh(say_);
  }
}

// Throws a Refusal if the request must not be routed.
void ScoringServer::Service::admit(const httplib::Request& request) const {
  const auto body = is_reading(request) ? Refusal::Body::read : Refusal::Body::unread;
  if (!is_addressed_here(request, options_.host))
    throw Refusal(403, "this server is only for this machine; its option host makes it public",
                  body);
  const Route* const route = find_route(request.path);
  if (!route) throw Refusal(404, "no such path; the page at / lists what there is", body);
  if (request.method != route->method && !(request.method == "HEAD" && route->method == "GET"))
    throw Refusal(405, fmt::format("{} needs {}", route->path, route->method), body);
  if (is_reading(request) && has_body(request))
    throw Refusal(400, fmt::format("{} {} has no body", route->method, route->path),
                  Refusal::Body::unread);
  if (!options_.token.empty() && route->open_to == Route::For::token_holders &&
      !carries_token(request.get_header_value("Authorization"), options_.token))
    throw Refusal(401, "send the server's token as Authorization: Bearer TOKEN", body);
}

void ScoringServer::Service::add_rules() {
  server_.set_default_headers({{"Cache-Control", "no-store"},
                               {"X-Content-Type-Options", "nosniff"},
                               {"Referrer-Policy", "no-referrer"}});
  server_.set_pre_routing_handler(
      [this](const httplib::Request& request, httplib::Response& response) {
        try {
          admit(request);
          return HandlerResponse::Unhandled;
        } catch (const Refusal& refusal) {
          answer(response, refusal.status(), refusal.what(), refusal.body());
          if (refusal.status() == 401) response.set_header("WWW-Authenticate", "Bearer");
          if (refusal.status() == 405)
            response.set_header("Allow", std::string(find_route(request.path)->method));
          return HandlerResponse::Handled;
        }
      });
  // The answers of cpp-httplib itself have no body.
  server_.set_error_handler([](const httplib::Request&, httplib::Response& response) {
    if (response.body.empty())
      answer(response, response.status, "not a request that this server understands",
             Refusal::Body::unread);
  });
  server_.set_exception_handler(
      [](const httplib::Request&, httplib::Response& response, std::exception_ptr) {
        answer(response, 500, "the server could not compute an answer", Refusal::Body::unread);
      });
  server_.set_logger([this](const httplib::Request& request, const httplib::Response& response) {
    const Route* const route = find_route(request.path);
    metrics_.count_request(route ? std::string(route->path) : "other", response.status);
  });
}

void ScoringServer::Service::add_readings() {
  const auto serve = [this](const char* path, std::string_view bytes, const char* type) {
    server_.Get(path, [bytes, type](const httplib::Request&, httplib::Response& response) {
      response.set_header("Content-Security-Policy",
                          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src "
                          "'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
      response.set_content(bytes.data(), bytes.size(), type);
    });
  };
  serve("/", try_page(), "text/html; charset=utf-8");
  serve("/try\\.css", try_style(), "text/css; charset=utf-8");
  serve("/try\\.js", try_script(), "text/javascript; charset=utf-8");
  server_.Get("/healthz", [](const httplib::Request&, httplib::Response& response) {
    response.set_content("{\"status\":\"ok\"}\n", kJson);
  });
  server_.Get("/metrics", [this](const httplib::Request&, httplib::Response& response) {
    response.set_content(metrics_text(), "text/plain; version=0.0.4; charset=utf-8");
  });
  server_.Get("/v1/model", [this](const httplib::Request&, httplib::Response& response) {
    response.set_content(models_answer(shelf_), kJson);
  });
}

void ScoringServer::Service::add_computations() {
  const auto serve = [this](const char* path, Compute how) {
    server_.Post(path,
                 [this, path, how](const httplib::Request& request, httplib::Response& response,
                                   const httplib::ContentReader& reader) {
                   const auto start = Clock::now();
                   try {
                     compute(how, request, response, reader);
                   } catch (const Refusal& refusal) {
                     answer(response, refusal.status(), refusal.what(), refusal.body());
                   } catch (const Error& error) {
                     const bool is_ours = error.code() == ErrorCode::device;
                     if (is_ours) say_(fmt::format("{}: {}", path, error.what()));
                     answer(response, is_ours ? 500 : 400, spell_options(error.what(), bare_option),
                            Refusal::Body::read);
                   }
                   metrics_.observe(path, Clock::now() - start);
                 });
  };
  serve("/v1/score", &Service::score);
  serve("/v1/rank", &Service::rank);
  serve("/v1/explain", &Service::explain);
  serve("/v1/interleave", &Service::interleave);
}

void ScoringServer::Service::compute(Compute how, const httplib::Request& request,
                                     httplib::Response& response,
                                     const httplib::ContentReader& reader) {
  const BodyFormat format = body_format(request);
  std::string body = read_body(request, reader, server_.connection(), options_.http);
  if (!turns_.try_acquire_for(options_.http.connection.request))
    throw Refusal(503, "too many requests at once: try again later");
  struct Turn {
    std::counting_semaphore<>& turns;
    ~Turn() { turns.release(); }
  } const turn{turns_};
  RequestLimits limits = options_.request;
  if (how == &Service::explain)
    limits.documents = std::min(limits.documents, options_.explained_documents);
  const auto find = [this](const std::string& name) {
    auto model = shelf_.find(name);
    if (model) return model;
    throw Refusal(404, fmt::format("no model '{}'{}", name, suggestion(name, shelf_.names())));
  };
  const ScoringRequest asked =
      format == BodyFormat::json
          ? parse_json_request(std::move(body), request.params, limits)
          : parse_letor_request(body, request.params, limits,
                                first_feature(find(model_parameter(request.params))->saved()));
  if (how == &Service::interleave) check_interleaving(asked);
  const std::string& name = how == &Service::interleave ? options_.interleave->a
                            : asked.model.empty()       ? shelf_.first()
                                                        : asked.model;
  const auto model = find(name);
  const Dataset documents = documents_for(model->saved(), asked);
  response.set_content((this->*how)({name, *model, asked, documents}), kJson);
  metrics_.count_documents(name, documents.documents());
}

std::string ScoringServer::Service::score(const Task& task) {
  return score_answer(task.name, task.model.score(task.documents));
}

std::string ScoringServer::Service::rank(const Task& task) {
  return rank_answer(task.name, task.request, task.model.score(task.documents));
}

std::string ScoringServer::Service::explain(const Task& task) {
  ThreadPool pool(1);
  const auto comm = make_local_communicator();
  Observer silent;
  Context context{1, pool, *comm, silent};
  const SavedModel& saved = task.model.saved();
  return explain_answer(task.name, saved, task.request, task.documents,
                        podium::explain(saved, task.documents, context));
}

void ScoringServer::Service::check_interleaving(const ScoringRequest& asked) const {
  if (!options_.interleave)
    throw Refusal(404, "the server was not started with two models to interleave");
  if (asked.session.empty() || asked.query.empty())
    throw Refusal(400, "an interleaved list needs a \"session\" and a \"query\"");
  if (!asked.model.empty())
    throw Refusal(400, "an interleaved list has two models: leave out \"model\"");
}

std::string ScoringServer::Service::interleave(const Task& task) {
  const InterleavedModels& models = *options_.interleave;
  const auto other = shelf_.find(models.b);
  const Dataset documents = documents_for(other->saved(), task.request);
  return interleave_answer(models, task.request, task.model.score(task.documents),
                           other->score(documents));
}

std::string ScoringServer::Service::metrics_text() const {
  std::string out = metrics_.text();
  out += metric_head("podium_connections", "gauge", "Connections open now.");
  out += fmt::format("podium_connections {}\n", server_.open_connections());
  out +=
      metric_head("podium_connections_refused_total", "counter", "Connections beyond the limit.");
  out += fmt::format("podium_connections_refused_total {}\n", server_.refused_connections());
  out += metric_head("podium_heads_refused_total", "counter",
                     "Requests whose header was late, too large or malformed.");
  out += fmt::format("podium_heads_refused_total {}\n", server_.refused_heads());
  out += metric_head("podium_model_loaded_seconds", "gauge", "When the model was loaded.");
  std::string failures =
      metric_head("podium_model_failures_total", "counter", "Changed files that did not load.");
  for (const ServedModel& served : shelf_.all()) {
    out += fmt::format("podium_model_loaded_seconds{{model=\"{}\"}} {}\n", label_text(served.name),
                       std::chrono::system_clock::to_time_t(served.loaded));
    failures += fmt::format("podium_model_failures_total{{model=\"{}\"}} {}\n",
                            label_text(served.name), served.failures);
  }
  return out + failures;
}

ScoringServer::ScoringServer(ScoringOptions options, const std::vector<NamedModelFile>& models,
                             std::function<void(const std::string&)> say)
    : service_(std::make_unique<Service>(std::move(options), models, std::move(say))) {}
ScoringServer::~ScoringServer() = default;

int ScoringServer::port() const noexcept {
  return service_->port();
}
std::string ScoringServer::url() const {
  return service_->url();
}

}  // namespace podium

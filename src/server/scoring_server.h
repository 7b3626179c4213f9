// Models over HTTP.
//
//   POST /v1/score    scores, in the order of the request
//   POST /v1/rank     the documents, best first
//   POST /v1/explain  the same, with each feature's part in the score
//   POST /v1/interleave  a team-draft list of two models, and who owns which document
//   GET  /v1/model    the models, their features, and whether a file needs to be fixed
//   GET  /healthz     {"status":"ok"}
//   GET  /metrics     for Prometheus
//   GET  /            a page to try it
//
// scoring_request.h describes bodies. Errors in a request are answered with 4xx and {"error":
// reason}. With a token, /v1/* and /metrics require `Authorization: Bearer TOKEN`.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/answers.h"
#include "server/http_server.h"
#include "server/scoring_request.h"
#include "server/served_models.h"

namespace podium {

struct ScoringOptions {
  std::string host = "127.0.0.1";
  int port = 8080;  // 0: any free one
  HttpLimits http;
  RequestLimits request;
  std::size_t explained_documents = 500;  // per request
  int threads = 1;                        // requests computed at once
  std::string token;                      // "": none required
  std::optional<InterleavedModels> interleave;
  Device device;  // for large requests
};

class ScoringServer {
 public:
  // Serves from its own threads between construction and destruction; the latter waits for running
  // requests. Throws an Error if a model cannot be loaded or the address is not available. `say`
  // gets a line whenever a model's file was reloaded, or could not be.
  ScoringServer(ScoringOptions options, const std::vector<NamedModelFile>& models,
                std::function<void(const std::string&)> say);
  ~ScoringServer();
  ScoringServer(const ScoringServer&) = delete;
  ScoringServer& operator=(const ScoringServer&) = delete;

  int port() const noexcept;
  std::string url() const;

 private:
  class Service;
  std::unique_ptr<Service> service_;
};

}  // namespace podium

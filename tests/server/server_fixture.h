// A server with three models, and its clients.
#pragma once

#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "server/model_files.h"
#include "server/scoring_server.h"
#include "support/temporary_folder.h"

namespace podium::testing {

inline constexpr char kJson[] = "application/json";
inline constexpr char kLetor[] = "text/plain";
inline constexpr char kTwoDocuments[] =
    R"({"documents": [{"id": "low", "features": {"a": 1}}, {"id": "high", "features": {"b": 1}}]})";

class ServerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    save_model(linear_model(), folder_.file("plain.json"));
    save_model(scaled_model(), folder_.file("scaled.json"));
    save_model(stump(), folder_.file("stump.json"));
    options_.port = 0;
    options_.threads = 2;
  }
  void TearDown() override { server_.reset(); }

  void start() {
    std::vector<NamedModelFile> models;
    for (const std::string name : {"plain", "scaled", "stump"})
      models.push_back({name, folder_.file(name + ".json")});
    server_.emplace(options_, models, [this](const std::string& line) {
      const std::scoped_lock lock(mutex_);
      said_ += line + "\n";
    });
    client_.emplace(options_.host, server_->port());
  }
  httplib::Result post(const std::string& path, const std::string& body, const char* type = kJson) {
    return client_->Post(path, body, type);
  }
  nlohmann::json answer(const std::string& path, const std::string& body,
                        const char* type = kJson) {
    const auto result = post(path, body, type);
    EXPECT_TRUE(result);
    EXPECT_EQ(result->status, 200) << result->body;
    return nlohmann::json::parse(result->body);
  }
  // "STATUS reason"
  std::string refusal(const httplib::Result& result) {
    if (!result) return "no answer";
    return std::to_string(result->status) + " " +
           nlohmann::json::parse(result->body).value("error", "without a reason");
  }

  TemporaryFolder folder_;
  ScoringOptions options_;
  std::mutex mutex_;  // for said_
  std::string said_;
  std::optional<ScoringServer> server_;
  std::optional<httplib::Client> client_;
};

}  // namespace podium::testing

// The counters of a server in Prometheus's text format 0.0.4.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace podium {

class Metrics {
 public:
  // `path`: a route, so that clients cannot create an unlimited number of labels.
  void count_request(const std::string& path, int code);
  void count_documents(const std::string& model, std::uint64_t documents);
  // From a request's head to its answer.
  void observe(const std::string& path, std::chrono::nanoseconds took);

  std::string text() const;

 private:
  static constexpr std::array<double, 14> kBounds = {0.0005, 0.001, 0.0025, 0.005, 0.01, 0.02, 0.03,
                                                     0.05,   0.1,   0.25,   0.5,   1,    2.5,  10};
  struct Histogram {
    std::array<std::uint64_t, kBounds.size() + 1> counts = {};  // the last: above all bounds
    double sum = 0;
  };

  mutable std::mutex mutex_;
  std::map<std::pair<std::string, int>, std::uint64_t> requests_;
  std::map<std::string, std::uint64_t> documents_;
  std::map<std::string, Histogram> latencies_;
};

// A line of the format: `name{label="value"} number`.
std::string metric_head(std::string_view name, std::string_view type, std::string_view help);
std::string label_text(std::string_view value);

}  // namespace podium

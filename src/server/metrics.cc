#include "server/metrics.h"

#include <algorithm>

#include <fmt/format.h>

namespace podium {

void Metrics::count_request(const std::string& path, int code) {
  const std::scoped_lock lock(mutex_);
  ++requests_[{path, code}];
}

void Metrics::count_documents(const std::string& model, std::uint64_t documents) {
  const std::scoped_lock lock(mutex_);
  documents_[model] += documents;
}

void Metrics::observe(const std::string& path, std::chrono::nanoseconds took) {
  const double seconds = std::chrono::duration<double>(took).count();
  const auto bucket = std::lower_bound(kBounds.begin(), kBounds.end(), seconds) - kBounds.begin();
  const std::scoped_lock lock(mutex_);
  Histogram& histogram = latencies_[path];
  ++histogram.counts[static_cast<std::size_t>(bucket)];
  histogram.sum += seconds;
}

std::string metric_head(std::string_view name, std::string_view type, std::string_view help) {
  return fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, help, name, type);
}

std::string label_text(std::string_view value) {
  std::string out;
  for (const char c : value) {
    if (c == '\\' || c == '"') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string Metrics::text() const {
  const std::scoped_lock lock(mutex_);
  std::string out = metric_head("podium_requests_total", "counter", "Requests answered.");
  for (const auto& [key, count] : requests_)
    out += fmt::format("podium_requests_total{{path=\"{}\",code=\"{}\"}} {}\n",
                       label_text(key.first), key.second, count);
  out += metric_head("podium_documents_total", "counter", "Documents scored.");
  for (const auto& [model, count] : documents_)
    out += fmt::format("podium_documents_total{{model=\"{}\"}} {}\n", label_text(model), count);
  out += metric_head("podium_request_seconds", "histogram",
                     "Time from a request's header to its answer.");
  for (const auto& [path, histogram] : latencies_) {
    std::uint64_t below = 0;
    for (std::size_t b = 0; b <= kBounds.size(); ++b) {
      below += histogram.counts[b];
      out += fmt::format("podium_request_seconds_bucket{{path=\"{}\",le=\"{}\"}} {}\n",
                         label_text(path),
                         b < kBounds.size() ? fmt::format("{}", kBounds[b]) : "+Inf", below);
    }
    out += fmt::format(
        "podium_request_seconds_sum{{path=\"{0}\"}} {1}\n"
        "podium_request_seconds_count{{path=\"{0}\"}} {2}\n",
        label_text(path), histogram.sum, below);
  }
  return out;
}

}  // namespace podium

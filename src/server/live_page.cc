#include "server/live_page.h"

#include <cstdint>
#include <future>
#include <optional>
#include <thread>

#include <fmt/format.h>
#include <httplib.h>

#include "core/unpack.h"
#include "experiments/report/report.h"
#include "podium/error.h"
#include "podium/option_text.h"
#include "server/address.h"

namespace podium {
namespace {

constexpr std::int64_t kMaxFileBytes = std::int64_t{1} << 30;
constexpr std::size_t kThreads = 4;
constexpr int kIdleSeconds = 1;  // a silent connection delays the end by at most this

// Changes whenever the file is replaced: its size and modification time.
std::optional<std::string> entity_tag(const std::filesystem::path& path) {
  std::error_code problem;
  const auto size = std::filesystem::file_size(path, problem);
  if (problem) return std::nullopt;
  const auto written = std::filesystem::last_write_time(path, problem);
  if (problem) return std::nullopt;
  return fmt::format("\"{:x}-{:x}\"", size, written.time_since_epoch().count());
}

void send_file(const std::filesystem::path& path, const httplib::Request& request,
               httplib::Response& response) {
  const std::optional<std::string> tag = entity_tag(path);
  if (!tag) {
    response.status = 404;
    response.set_content("null", "application/json");
    return;
  }
  response.set_header("ETag", *tag);
  if (request.get_header_value("If-None-Match") == *tag) {
    response.status = 304;
    return;
  }
  try {
    response.set_content(read_file(path, kMaxFileBytes), "application/json");
  } catch (const Error& error) {
    response.status = 500;
    response.set_content(spell_options(error.what(), bare_option), "text/plain; charset=utf-8");
  }
}

void send_report(const std::filesystem::path& folder, httplib::Response& response) {
  try {
    response.set_content(render_report(folder), "text/html; charset=utf-8");
    response.set_header("Content-Disposition", "attachment; filename=\"report.html\"");
  } catch (const Error& error) {
    response.status = 404;
    response.set_content(spell_options(error.what(), bare_option), "text/plain; charset=utf-8");
  }
}

}  // namespace

class LivePage::Service {
 public:
  Service(std::filesystem::path folder, const std::string& host, int port, std::string page)
      : folder_(std::move(folder)), host_(host), page_(std::move(page)) {
    add_routes();
    port_ = bind_server(server_, host_, port);
    std::promise<void> listening;
    // The server creates its workers when stop() can reach it.
    server_.new_task_queue = [&listening] {
      listening.set_value();
      return new httplib::ThreadPool(kThreads);
    };
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    listening.get_future().wait();
  }
  ~Service() {
    server_.stop();
    thread_.join();
  }

  int port() const noexcept { return port_; }
  std::string url() const { return url_of(host_, port_); }

 private:
  void add_routes() {
    server_.set_keep_alive_timeout(kIdleSeconds);
    server_.set_read_timeout(kIdleSeconds);
    server_.set_default_headers({{"Cache-Control", "no-cache"},
                                 {"X-Content-Type-Options", "nosniff"},
                                 {"X-Frame-Options", "DENY"},
                                 {"Content-Security-Policy", "frame-ancestors 'none'"},
                                 {"Referrer-Policy", "no-referrer"}});
    server_.set_pre_routing_handler([this](const httplib::Request& request,
                                           httplib::Response& response) {
      if (is_addressed_here(request, host_)) return httplib::Server::HandlerResponse::Unhandled;
      response.status = 403;
      response.set_content(
          "this page is only for this machine; the option host of podium serve makes it public\n",
          "text/plain; charset=utf-8");
      return httplib::Server::HandlerResponse::Handled;
    });
    server_.Get("/", [this](const httplib::Request&, httplib::Response& response) {
      response.set_content(page_, "text/html; charset=utf-8");
    });
    server_.Get("/report.html", [this](const httplib::Request&, httplib::Response& response) {
      send_report(folder_, response);
    });
    for (const std::string name : {"results.json", "resources.json"})
      server_.Get("/" + name, [path = folder_ / name](const httplib::Request& request,
                                                      httplib::Response& response) {
        send_file(path, request, response);
      });
  }

  std::filesystem::path folder_;
  std::string host_;
  std::string page_;
  int port_ = -1;
  httplib::Server server_;
  std::thread thread_;
};

LivePage::LivePage(std::filesystem::path folder, const std::string& host, int port,
                   std::string page)
    : service_(std::make_unique<Service>(std::move(folder), host, port, std::move(page))) {}
LivePage::~LivePage() = default;

int LivePage::port() const noexcept {
  return service_->port();
}
std::string LivePage::url() const {
  return service_->url();
}

}  // namespace podium

#include "server/live_page.h"

#include <cstdint>
#include <future>
#include <optional>
#include <thread>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <httplib.h>

#include "core/unpack.h"
#include "experiments/report.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr std::int64_t kMaxFileBytes = std::int64_t{1} << 30;
constexpr std::size_t kThreads = 4;
constexpr int kIdleSeconds = 1;  // a silent connection delays the end by no more than this

std::string in_url(const std::string& host) {
  return host.find(':') == host.npos ? host : "[" + host + "]";
}

bool is_loopback(const std::string& host) {
  in_addr address{};
  if (inet_pton(AF_INET, host.c_str(), &address) == 1)
    return (ntohl(address.s_addr) >> 24) == IN_LOOPBACKNET;
  return host == "localhost" || host == "::1";
}

// "127.0.0.1:8080" and "[::1]:8080" without the port.
std::string host_of(const std::string& address) {
  if (address.starts_with('[')) return address.substr(1, address.find(']') - 1);
  return address.substr(0, address.find(':'));
}

// Changes whenever the file is replaced: its size and the time of writing.
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
    response.set_content(error.what(), "text/plain; charset=utf-8");
  }
}

void send_report(const std::filesystem::path& folder, httplib::Response& response) {
  try {
    response.set_content(render_report(folder), "text/html; charset=utf-8");
    response.set_header("Content-Disposition", "attachment; filename=\"report.html\"");
  } catch (const Error& error) {
    response.status = 404;
    response.set_content(error.what(), "text/plain; charset=utf-8");
  }
}

}  // namespace

class LivePage::Service {
 public:
  Service(std::filesystem::path folder, const std::string& host, int port, std::string page)
      : folder_(std::move(folder)), host_(host), page_(std::move(page)) {
    add_routes();
    bind(port);
    std::promise<void> listening;
    // The server asks for its workers once stop() can reach it.
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
  std::string url() const { return fmt::format("http://{}:{}/", in_url(host_), port_); }

 private:
  void add_routes() {
    server_.set_keep_alive_timeout(kIdleSeconds);
    server_.set_read_timeout(kIdleSeconds);
    server_.set_default_headers({{"Cache-Control", "no-cache"},
                                 {"X-Content-Type-Options", "nosniff"},
                                 {"Referrer-Policy", "no-referrer"}});
    server_.set_pre_routing_handler(
        [this](const httplib::Request& request, httplib::Response& response) {
          if (!is_loopback(host_) || is_loopback(host_of(request.get_header_value("Host"))))
            return httplib::Server::HandlerResponse::Unhandled;
          response.status = 403;
          response.set_content("this page is for this machine only; --host makes it public\n",
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

  void bind(int port) {
    // The default lets two servers share a port (SO_REUSEPORT), each with a part of the requests.
    server_.set_socket_options([](socket_t socket) {
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    port_ = port == 0 ? server_.bind_to_any_port(host_)
                      : (server_.bind_to_port(host_, port) ? port : -1);
    if (port_ <= 0)
      throw Error(
          ErrorCode::usage,
          fmt::format("cannot listen on {}:{}: is the port taken? --port 0 finds a free one",
                      in_url(host_), port));
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

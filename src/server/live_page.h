// The report of a results folder over HTTP, while `podium compare` fills the folder or afterwards.
//
//   /                the report's page; it fetches the two files until they are complete
//   /report.html     the same as one self-contained file, with the current results
//   /results.json    the folder's file, or 404 if there is none; the ETag makes polling
//   /resources.json  cheap while nothing has changed
//
// Serves from its own threads between construction and destruction. On a loopback address only
// requests addressed to this machine are answered: a web page elsewhere cannot read the results by
// resolving its own name to this address.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "experiments/report/report.h"

namespace podium {

class LivePage {
 public:
  // Port 0: any free one. Throws an Error if the address is not available, and if this build has no
  // report.
  LivePage(std::filesystem::path folder, const std::string& host, int port)
      : LivePage(std::move(folder), host, port, render_live_report()) {}
  // With a custom page at /.
  LivePage(std::filesystem::path folder, const std::string& host, int port, std::string page);
  ~LivePage();
  LivePage(const LivePage&) = delete;
  LivePage& operator=(const LivePage&) = delete;

  int port() const noexcept;
  // "http://127.0.0.1:8080/"
  std::string url() const;

 private:
  class Service;
  std::unique_ptr<Service> service_;
};

}  // namespace podium

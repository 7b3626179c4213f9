// The report of a results folder over HTTP, while `podium compare` fills the folder or afterwards.
//
//   /                the report's page; it asks for the two files until they are complete
//   /report.html     the same as one self-contained file, with the results as they are now
//   /results.json    the folder's file, or 404 while there is none; the ETag makes asking again
//   /resources.json  cheap while nothing has changed
//
// Serves from threads of its own between construction and destruction. On a loopback address only
// requests addressed to this machine are answered: a web page elsewhere cannot read the results by
// pointing its own name here.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "experiments/report/report.h"

namespace podium {

class LivePage {
 public:
  // Port 0: any free one. Throws an Error when the address cannot be had, and when this build has
  // no report.
  LivePage(std::filesystem::path folder, const std::string& host, int port)
      : LivePage(std::move(folder), host, port, render_live_report()) {}
  // With a page of one's own at /.
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

#include "server/open_connections.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace podium {

OpenConnections::Served::Served(OpenConnections& all, Connection& connection) : all_(all) {
  const std::scoped_lock lock(all_.mutex_);
  all_.by_thread_[std::this_thread::get_id()] = &connection;
}

OpenConnections::Served::~Served() {
  const std::scoped_lock lock(all_.mutex_);
  all_.by_thread_.erase(std::this_thread::get_id());
}

Connection& OpenConnections::mine() const {
  const std::scoped_lock lock(mutex_);
  return *by_thread_.at(std::this_thread::get_id());
}

bool OpenConnections::dismiss_longest_idle() const {
  const std::scoped_lock lock(mutex_);
  std::vector<std::pair<Connection::Clock::time_point, Connection*>> idle;
  for (const auto& [thread, connection] : by_thread_)
    if (const auto since = connection->idle_since()) idle.emplace_back(*since, connection);
  std::sort(idle.begin(), idle.end());
  return std::any_of(idle.begin(), idle.end(),
                     [](const auto& waiting) { return waiting.second->dismiss(); });
}

}  // namespace podium

#include "experiments/comparison/cell_resources.h"

#include <algorithm>
#include <charconv>
#include <ctime>
#include <fstream>

#include <unistd.h>

#include "models/file/json_text.h"

namespace podium {
namespace {

using Json = nlohmann::ordered_json;

std::size_t peak_resident_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (!line.starts_with("VmHWM:")) continue;
    const std::size_t digits = line.find_first_of("0123456789");
    std::size_t kilobytes = 0;
    if (digits != line.npos)
      std::from_chars(line.data() + digits, line.data() + line.size(), kilobytes);
    return kilobytes * 1024;
  }
  return 0;
}

// Resets the peak. If the kernel does not allow it, the peak is that of the whole process.
void reset_peak() {
  std::ofstream("/proc/self/clear_refs") << "5";
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

double seconds_since(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

}  // namespace

CellResources::CellResources(const std::string& earlier, int threads)
    : started_(utc_now()), threads_(threads) {
  const Json json = Json::parse(earlier, nullptr, false);
  if (!json.is_object()) return;
  if (const auto cells = json.find("cells"); cells != json.end() && cells->is_object())
    cells_ = *cells;
  const auto number = [&](const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_number() ? found->get<double>() : 0.0;
  };
  seconds_before_ = number("seconds");
  peak_ = static_cast<std::size_t>(std::clamp(number("peak_bytes"), 0.0, 1e18));
  if (const auto started = json.find("started"); started != json.end() && started->is_string())
    started_ = *started;
}

void CellResources::note_peak() {
  const std::size_t peak = peak_resident_bytes();
  peak_ = std::max(peak_, peak);
  for (auto& [name, cell] : running_) cell.peak = std::max(cell.peak, peak);
  reset_peak();
}

void CellResources::begin(const std::string& cell) {
  const std::scoped_lock lock(mutex_);
  note_peak();
  running_[cell] = {Clock::now(), 0};
}

void CellResources::end(const std::string& cell) {
  const std::scoped_lock lock(mutex_);
  note_peak();
  const Running& ran = running_.at(cell);
  cells_[cell] = {{"seconds", seconds_since(ran.began)}, {"peak_bytes", ran.peak}};
  running_.erase(cell);
}

std::string CellResources::text() const {
  const std::scoped_lock lock(mutex_);
  return to_text(Json{{"started", started_},
                      {"threads", threads_},
                      {"cells", cells_},
                      {"seconds", seconds_before_ + seconds_since(began_)},
                      {"peak_bytes", peak_}}) +
         "\n";
}

std::size_t machine_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGE_SIZE);
  return pages > 0 && size > 0 ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(size)
                               : std::size_t{4} << 30;
}

}  // namespace podium

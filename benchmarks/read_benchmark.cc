// How fast LETOR text is read, against a straightforward reader (getline and strtod) in the same
// run, and the peak memory. Usage: read_benchmark [MEGABYTES | FILE]…
//
// Without a file it writes an MSLR-like one (136 features, several notations of numbers) of 120 MB
// to the temporary folder, and also reads MQ2008 if PODIUM_DATA has it. The last line is a control:
// the speed-up of two threads on arithmetic alone. If that is far from 2, the machine is busy, and
// the speed-up of two threads in reading is meaningless.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "core/random.h"
#include "podium/context.h"
#include "podium/data_io.h"

namespace podium {
namespace {

// A reader as one would write it in half an hour.
struct PlainData {
  std::vector<float> labels;
  std::vector<std::string> qids;
  std::vector<std::vector<float>> rows;
  std::vector<std::string> docids;
};

PlainData read_plainly(const std::string& path) {
  PlainData data;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    char* p = line.data();
    data.labels.push_back(std::strtof(p, &p));
    while (*p == ' ') ++p;
    char* const qid = p + 4;
    while (*p != ' ' && *p != '\0') ++p;
    data.qids.emplace_back(qid, p);
    std::vector<float> row;
    for (;;) {
      while (*p == ' ') ++p;
      if (*p < '0' || *p > '9') break;
      const auto feature = static_cast<std::size_t>(std::strtol(p, &p, 10));
      const double value = std::strtod(p + 1, &p);
      if (row.size() < feature) row.resize(feature);
      row[feature - 1] = static_cast<float>(value);
    }
    data.rows.push_back(std::move(row));
    const std::size_t docid = line.find("docid = ");
    data.docids.push_back(
        docid == line.npos ? "" : line.substr(docid + 8, line.find(' ', docid + 8) - docid - 8));
  }
  return data;
}

void write_mslr_like(const std::string& path, std::size_t megabytes) {
  std::ofstream out(path);
  Random random(1);
  fmt::memory_buffer text;
  for (std::size_t written = 0, row = 0; written < megabytes << 20; ++row) {
    text.clear();
    fmt::format_to(std::back_inserter(text), "{} qid:{} ", random.below(5), row / 120 + 1);
    for (int feature = 1; feature <= 136; ++feature) {
      const double x = random.uniform();
      switch (feature % 4) {
        case 0:
          fmt::format_to(std::back_inserter(text), "{}:{} ", feature, random.below(300));
          break;
        case 1:
          fmt::format_to(std::back_inserter(text), "{}:{:.6f} ", feature, x);
          break;
        case 2:
          fmt::format_to(std::back_inserter(text), "{}:{:.6f} ", feature, -50 * x);
          break;
        default:
          fmt::format_to(std::back_inserter(text), "{}:0 ", feature);
      }
    }
    text.push_back('\n');
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    written += text.size();
  }
}

// Anonymous memory of this process, in bytes.
std::size_t anonymous_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("RssAnon:")) return std::strtoull(line.c_str() + 8, nullptr, 10) << 10;
  return 0;
}

// The maximum anonymous memory that an action adds while it runs, by sampling.
std::size_t peak_bytes(const std::function<void()>& action) {
  const std::size_t before = anonymous_bytes();
  std::atomic<std::size_t> peak{before};
  std::jthread sampler([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      peak = std::max(peak.load(), anonymous_bytes());
      std::this_thread::sleep_for(std::chrono::microseconds(500));
    }
  });
  action();
  return peak - before;
}

double best_seconds(int repeats, const std::function<void()>& action) {
  double best = 1e300;
  for (int i = 0; i < repeats; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    action();
    best = std::min(
        best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return best;
}

// The speed-up of two threads on work that shares nothing.
double gain_of_two_threads() {
  const auto seconds = [](int threads) {
    ThreadPool pool(threads);
    return best_seconds(3, [&pool] {
      pool.run(64, [](std::size_t i) {
        volatile double x = static_cast<double>(i);
        for (int k = 0; k < 1'000'000; ++k) x = x * 1.0000001 + 1;
      });
    });
  };
  return seconds(1) / seconds(2);
}

void measure(const std::string& path) {
  const auto bytes = static_cast<double>(std::filesystem::file_size(path));
  const auto read_with = [&](int threads) {
    ThreadPool pool(threads);
    const auto comm = make_local_communicator();
    Observer observer;
    Context context{1, pool, *comm, observer};
    return read_dataset(path, {}, context);
  };
  std::size_t size = 0;
  const std::size_t peak = peak_bytes([&] { size = read_with(2).bytes(); });
  const double plain = best_seconds(2, [&] { read_plainly(path); });
  const double one = best_seconds(5, [&] { read_with(1); });
  const double two = best_seconds(5, [&] { read_with(2); });
  fmt::print("{}: {:.1f} MB of text, {:.1f} MB of data\n", path, bytes / 1e6,
             static_cast<double>(size) / 1e6);
  fmt::print("  plain reader   {:8.1f} MB/s\n", bytes / 1e6 / plain);
  fmt::print("  1 thread       {:8.1f} MB/s   {:.2f} x plain\n", bytes / 1e6 / one, plain / one);
  fmt::print("  2 threads      {:8.1f} MB/s   {:.2f} x one thread\n", bytes / 1e6 / two, one / two);
  fmt::print("  peak memory    {:8.1f} MB     {:.2f} x the data\n", static_cast<double>(peak) / 1e6,
             static_cast<double>(peak) / static_cast<double>(size));
  fmt::print("  control        2 threads gain {:.2f} x on arithmetic alone\n",
             gain_of_two_threads());
}

// The parts of MQ2008 in one file; false if they do not exist.
bool unpack_mq2008(const std::string& path) {
  const char* folder = std::getenv("PODIUM_DATA");
  if (!folder) return false;
  const std::string command = fmt::format("xz -dc '{}'/MQ2008/S?.txt.xz > '{}'", folder, path);
  return std::system(command.c_str()) == 0;
}

}  // namespace
}  // namespace podium

int main(int argc, char** argv) {
  std::size_t megabytes = 120;
  std::vector<std::string> files;
  for (int i = 1; i < argc; ++i) {
    const std::size_t number = std::strtoull(argv[i], nullptr, 10);
    if (number)
      megabytes = number;
    else
      files.emplace_back(argv[i]);
  }
  if (!files.empty()) {
    for (const std::string& file : files) podium::measure(file);
    return 0;
  }
  const std::string path =
      (std::filesystem::temp_directory_path() / fmt::format("podium-read-{}.txt", getpid()))
          .string();
  podium::write_mslr_like(path, megabytes);
  podium::measure(path);
  if (podium::unpack_mq2008(path)) podium::measure(path);
  std::filesystem::remove(path);
  return 0;
}

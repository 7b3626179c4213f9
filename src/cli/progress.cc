#include "cli/progress.h"

#include <chrono>
#include <cstdio>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>

#include <fmt/format.h>

#include "cli/flags.h"
#include "core/printable.h"
#include "core/work_text.h"

namespace podium::cli {
namespace {

using Clock = std::chrono::steady_clock;

std::string values_text(const Iteration& iteration) {
  std::string text;
  for (const auto& [name, value] : iteration.values)
    text += fmt::format("  {} {:.6g}", name, value);
  return text;
}

std::string count_text(const Iteration& iteration) {
  return iteration.total ? fmt::format("{}/{}", iteration.number, iteration.total)
                         : fmt::format("{}", iteration.number);
}

// How long the rest of a phase takes, from the pace since its first step.
class TimeLeft {
 public:
  void begin() { first_.reset(); }
  // Unknown before a second has passed, and for work without a known end.
  std::optional<double> after(const Iteration& iteration) {
    const auto now = Clock::now();
    if (!first_ || iteration.number < first_->number) first_ = {iteration.number, now};
    const double seconds = std::chrono::duration<double>(now - first_->at).count();
    const auto done = static_cast<double>(iteration.number - first_->number);
    if (done < 1 || seconds < kShortestPace || iteration.total <= iteration.number) return {};
    return seconds / done * static_cast<double>(iteration.total - iteration.number);
  }
  std::string text_after(const Iteration& iteration) {
    const std::optional<double> seconds = after(iteration);
    return seconds ? fmt::format(", about {} left", duration_text(*seconds)) : "";
  }

 private:
  static constexpr double kShortestPace = 1;
  struct Step {
    decltype(Iteration::number) number;
    Clock::time_point at;
  };
  std::optional<Step> first_;
};

void print_note(std::string_view text) {
  fmt::print(stderr, "podium: note: {}\n", printable(with_flags(text)));
}

class Lines final : public Observer {
 public:
  void phase(std::string_view text) override {
    phase_ = printable(text);
    last_ = Clock::now();
    left_.begin();
  }
  void iteration(const Iteration& iteration) override {
    const std::string left = left_.text_after(iteration);
    if (Clock::now() - last_ < std::chrono::seconds(5)) return;
    last_ = Clock::now();
    fmt::print(stderr, "podium: {}: {}{}{}\n", phase_, count_text(iteration), left,
               values_text(iteration));
  }
  void note(std::string_view text) override { print_note(text); }

 private:
  std::string phase_;
  TimeLeft left_;
  Clock::time_point last_ = Clock::now();
};

class Bar final : public Observer {
 public:
  ~Bar() override { clear(); }
  void phase(std::string_view text) override {
    phase_ = printable(text);
    left_.begin();
    draw(phase_ + " …");
  }
  void iteration(const Iteration& iteration) override {
    const auto now = Clock::now();
    const std::string left = left_.text_after(iteration);
    if (now - last_ < std::chrono::milliseconds(100) && iteration.number != iteration.total) return;
    last_ = now;
    std::string line = phase_ + " ";
    if (iteration.total) {
      const auto filled = static_cast<std::size_t>(24 * iteration.number / iteration.total);
      line += "[" + std::string(filled, '#') + std::string(24 - filled, '.') + "] ";
    }
    draw(line + count_text(iteration) + left + values_text(iteration));
  }
  void note(std::string_view text) override {
    clear();
    print_note(text);
  }

 private:
  void draw(const std::string& line) {
    fmt::print(stderr, "\r\x1b[K{}", line.substr(0, 110));
    std::fflush(stderr);
    drawn_ = true;
  }
  void clear() {
    if (drawn_) fmt::print(stderr, "\r\x1b[K");
    drawn_ = false;
  }

  std::string phase_;
  TimeLeft left_;
  Clock::time_point last_;
  bool drawn_ = false;
};

class JsonLines final : public Observer {
 public:
  void phase(std::string_view text) override {
    left_.begin();
    line({{"phase", std::string(text)}});
  }
  void iteration(const Iteration& iteration) override {
    nlohmann::ordered_json object = {{"iteration", iteration.number}};
    if (iteration.total) object["total"] = iteration.total;
    if (const auto left = left_.after(iteration)) object["seconds_left"] = *left;
    for (const auto& [name, value] : iteration.values) object[name] = value;
    line(object);
  }
  void note(std::string_view text) override { line({{"note", with_flags(text)}}); }

 private:
  static void line(const nlohmann::ordered_json& object) {
    fmt::print(
        stderr, "{}\n",
        printable_json(object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)));
  }

  TimeLeft left_;
};

// A lock, because readers report from worker threads.
class Serialized final : public Observer {
 public:
  explicit Serialized(std::unique_ptr<Observer> inner) : inner_(std::move(inner)) {}
  void phase(std::string_view text) override {
    const std::scoped_lock lock(mutex_);
    inner_->phase(text);
  }
  void iteration(const Iteration& iteration) override {
    const std::scoped_lock lock(mutex_);
    inner_->iteration(iteration);
  }
  void note(std::string_view text) override {
    const std::scoped_lock lock(mutex_);
    inner_->note(text);
  }

 private:
  std::mutex mutex_;
  std::unique_ptr<Observer> inner_;
};

}  // namespace

std::unique_ptr<Observer> make_progress(ProgressStyle style) {
  std::unique_ptr<Observer> observer;
  switch (style) {
    case ProgressStyle::quiet:
      return std::make_unique<Observer>();
    case ProgressStyle::lines:
      observer = std::make_unique<Lines>();
      break;
    case ProgressStyle::bar:
      observer = std::make_unique<Bar>();
      break;
    case ProgressStyle::json:
      observer = std::make_unique<JsonLines>();
      break;
  }
  return std::make_unique<Serialized>(std::move(observer));
}

}  // namespace podium::cli

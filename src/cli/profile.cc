#include "cli/profile.h"

#include <algorithm>

#include <fmt/format.h>

namespace podium::cli {
namespace {

class PhaseObserver final : public Observer {
 public:
  PhaseObserver(std::shared_ptr<Observer> observer, WorkProfile& profile)
      : observer_(std::move(observer)), profile_(profile) {}
  void phase(std::string_view name) override {
    profile_.enter(name);
    observer_->phase(name);
  }
  void iteration(const Iteration& step) override { observer_->iteration(step); }
  void note(std::string_view text) override { observer_->note(text); }

 private:
  std::shared_ptr<Observer> observer_;
  WorkProfile& profile_;
};

Json phase_json(const WorkProfile::Phase& phase) {
  Json predicted = Json::object();
  for (std::size_t i = 0; i < phase.predicted.size(); ++i)
    predicted[std::to_string(WorkProfile::kThreads[i])] = phase.predicted[i];
  return {{"name", phase.name},       {"work", phase.work},       {"span", phase.span},
          {"between", phase.between}, {"regions", phase.regions}, {"tasks", phase.tasks},
          {"predicted", predicted}};
}

std::string row(const WorkProfile::Phase& phase, std::size_t width) {
  std::string text = fmt::format("{:<{}}  {:9.4f} {:9.4f} {:9.4f} {:8.1f} {:9}", phase.name, width,
                                 phase.work, phase.span, phase.between,
                                 phase.span > 0 ? phase.work / phase.span : 0.0, phase.regions);
  for (const double seconds : phase.predicted) text += fmt::format(" {:8.4f}", seconds);
  return text + "\n";
}

// By kernel, those that take longest first; copies also with their rate.
std::string device_text(std::vector<WorkProfile::DeviceWork> all) {
  if (all.empty()) return {};
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
  std::size_t width = 0;
  for (const auto& work : all) width = std::max(width, work.name.size());
  std::string text = fmt::format("\n{:<{}}  {:>9} {:>9} {:>9} {:>9}\n", "GPU seconds", width, "all",
                                 "times", "µs each", "GB/s");
  double seconds = 0;
  for (const auto& work : all) {
    text += fmt::format("{:<{}}  {:9.4f} {:9} {:9.1f}", work.name, width, work.seconds, work.times,
                        1e6 * work.seconds / static_cast<double>(work.times));
    if (work.bytes > 0 && work.seconds > 0)
      text += fmt::format(" {:9.2f}", 1e-9 * static_cast<double>(work.bytes) / work.seconds);
    text += "\n";
    seconds += work.seconds;
  }
  return text + fmt::format("{:<{}}  {:9.4f}\n", "total", width, seconds);
}

}  // namespace

std::shared_ptr<Observer> observe_phases(std::shared_ptr<Observer> observer, WorkProfile& profile) {
  return std::make_shared<PhaseObserver>(std::move(observer), profile);
}

Json profile_json(WorkProfile& work_profile) {
  const auto phases = work_profile.phases();
  Json list = Json::array();
  for (const WorkProfile::Phase& phase : phases) list.push_back(phase_json(phase));
  Json profile = {{"phases", list}, {"total", phase_json(WorkProfile::total(phases))}};
  for (const WorkProfile::DeviceWork& work : work_profile.device_work())
    profile["device"].push_back({{"name", work.name},
                                 {"seconds", work.seconds},
                                 {"times", work.times},
                                 {"bytes", work.bytes}});
  return profile;
}

std::string profile_text(WorkProfile& profile) {
  const auto phases = profile.phases();
  constexpr std::string_view kHeading = "processor seconds";
  std::size_t width = kHeading.size();
  for (const WorkProfile::Phase& phase : phases) width = std::max(width, phase.name.size());
  std::string text = fmt::format("{:<{}}  {:>9} {:>9} {:>9} {:>8} {:>9}", kHeading, width, "work",
                                 "span", "between", "ratio", "regions");
  for (const int threads : WorkProfile::kThreads) text += fmt::format(" {:>6} t", threads);
  text += "\n";
  for (const WorkProfile::Phase& phase : phases) text += row(phase, width);
  return text + row(WorkProfile::total(phases), width) + device_text(profile.device_work());
}

}  // namespace podium::cli

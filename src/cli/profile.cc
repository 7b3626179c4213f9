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

}  // namespace

std::shared_ptr<Observer> observe_phases(std::shared_ptr<Observer> observer, WorkProfile& profile) {
  return std::make_shared<PhaseObserver>(std::move(observer), profile);
}

Json profile_json(WorkProfile& profile) {
  const auto phases = profile.phases();
  Json list = Json::array();
  for (const WorkProfile::Phase& phase : phases) list.push_back(phase_json(phase));
  return {{"phases", list}, {"total", phase_json(WorkProfile::total(phases))}};
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
  return text + row(WorkProfile::total(phases), width);
}

}  // namespace podium::cli

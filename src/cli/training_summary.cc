#include "cli/training_summary.h"

#include <fmt/format.h>

#include "cli/flags.h"
#include "core/counted.h"
#include "core/output_file.h"
#include "learners/training_record.h"
#include "podium/error.h"

namespace podium::cli {
namespace {

Json phases_of(const TrainingResult& result, const TrainingTimes& times) {
  Json phases = {{"read", times.read}};
  if (result.bin_seconds) phases["bin"] = *result.bin_seconds;
  phases["fit"] = times.train - result.bin_seconds.value_or(0);
  return phases;
}

std::string phases_text(const Json& phases) {
  std::string text = fmt::format("# read {:.2f} s, ", phases["read"].get<double>());
  if (phases.contains("bin")) text += fmt::format("binned {:.2f} s, ", phases["bin"].get<double>());
  return text + fmt::format("fitted {:.2f} s\n", phases["fit"].get<double>());
}

}  // namespace

void report_useless(const SavedModel& saved, bool strict, Context& context) {
  if (saved.training.useless.empty()) return;
  if (strict) throw Error(ErrorCode::training, "--strict: " + useless_text(saved));
  context.observer.note(useless_text(saved));
}

Json training_summary(const SavedModel& saved, const TrainingResult& result,
                      const TrainingTimes& times, const std::map<std::string, double>& train) {
  Json json = {{"learner", saved.learner},
               {"options", options_json(saved.options)},
               {"iterations", result.log.size()},
               {"best_iteration", result.best_iteration},
               {"seconds", times.train},
               {"phases", phases_of(result, times)},
               {"termination", to_text(result.termination)}};
  if (result.certificate)
    json["objective"] = {{"primal", result.certificate->primal},
                         {"dual", result.certificate->dual},
                         {"gap", result.certificate->gap}};
  Json chosen = Json::object();
  for (const auto& [name, value] : result.chosen) chosen[name] = value;
  if (!chosen.empty()) json["chosen"] = chosen;
  json["measures"] = {{"train", train}};
  if (!saved.training.validation.empty()) json["measures"]["valid"] = saved.training.validation;
  json["queries"] = {{"used", saved.training.queries - result.skipped_queries},
                     {"skipped", result.skipped_queries}};
  json["useless"] = nullptr;
  if (!saved.training.useless.empty()) json["useless"] = with_flags(saved.training.useless);
  return json;
}

void add_ranks(Json& json, Communicator& comm) {
  auto bytes = static_cast<std::int64_t>(comm.bytes_sent());
  comm.all_reduce_sum(std::span(&bytes, 1));
  json["ranks"] = comm.size();
  json["bytes_sent"] = bytes;
}

std::string summary_text(const Json& json, const Convention& convention, const std::string& path) {
  std::string text = fmt::format("learner\t{}\n", json["learner"].get<std::string>());
  for (const auto& [name, value] : json["options"].items())
    text += fmt::format("option {}\t{}\n", name,
                        value.is_string() ? value.get<std::string>() : value.dump());
  text += fmt::format("iterations\t{} (best {}), {}\n", json["iterations"].get<std::size_t>(),
                      json["best_iteration"].get<std::int64_t>(),
                      json["termination"].get<std::string>());
  if (json.contains("chosen"))
    for (const auto& [name, value] : json["chosen"].items())
      text += fmt::format("chosen {}\t{}\n", name, value.get<double>());
  if (json.contains("objective"))
    text += fmt::format("objective\tprimal {:.8g}, dual {:.8g}, gap {:.3g}\n",
                        json["objective"]["primal"].get<double>(),
                        json["objective"]["dual"].get<double>(),
                        json["objective"]["gap"].get<double>());
  for (const auto& [part, values] : json["measures"].items())
    for (const auto& [name, value] : values.items())
      text += fmt::format("{} {}\t{:.6f}\n", part, name, value.get<double>());
  text += fmt::format("queries\t{} used, {} skipped\n", json["queries"]["used"].get<std::size_t>(),
                      json["queries"]["skipped"].get<std::size_t>());
  if (json.contains("ranks"))
    text += fmt::format("ranks\t{}, {} sent\n", json["ranks"].get<int>(),
                        counted(json["bytes_sent"].get<std::uint64_t>(), "byte"));
  text += phases_text(json["phases"]);
  text +=
      fmt::format("# {:.2f} s, convention {}\n", json["seconds"].get<double>(), convention.text());
  if (!path.empty()) text += fmt::format("# model in {}\n", path);
  return text;
}

void write_diagnostics(const std::vector<Iteration>& log, const std::string& path) {
  OutputFile file(path);
  for (const Iteration& step : log) {
    if (&step == &log.front()) {
      file.write("iteration");
      for (const auto& [name, value] : step.values) file.write("\t" + name);
      file.write("\n");
    }
    file.write(std::to_string(step.number));
    for (const auto& [name, value] : step.values) file.write(fmt::format("\t{:.10g}", value));
    file.write("\n");
  }
  file.commit();
}

}  // namespace podium::cli

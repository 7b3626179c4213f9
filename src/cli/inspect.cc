// podium inspect FILE…: what is in data files and model files.
#include "cli/inspect.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "podium/model.h"

namespace podium::cli {
namespace {

bool is_model(const std::string& path) {
  return path.ends_with(".json") || path.ends_with(".json.zst") || path.ends_with(".json.gz");
}

// Names of the model's inputs: the features, or their indicators after binning.
std::vector<std::string> input_names(const SavedModel& saved) {
  const auto& thresholds = saved.normalization.thresholds;
  if (thresholds.empty()) return saved.features;
  std::vector<std::string> names;
  for (std::size_t f = 0; f < thresholds.size(); ++f)
    for (const float t : thresholds[f]) names.push_back(fmt::format("{}>{}", saved.features[f], t));
  return names;
}

}  // namespace

Inspection inspect_model(const std::string& path) {
  const SavedModel saved = load_model(path);
  const std::vector<double> sizes = importance(saved.model);
  const std::vector<std::string> names = input_names(saved);
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });

  Inspection out;
  out.json = {{"file", path},
              {"kind", "model"},
              {"learner", saved.learner},
              {"options", to_json(saved.options)},
              {"loss", saved.loss},
              {"measure", saved.measure},
              {"features", saved.features.size()},
              {"missing", saved.missing},
              {"normalization", to_text(saved.normalization.normalization)},
              {"training",
               {{"queries", saved.training.queries},
                {"documents", saved.training.documents},
                {"fingerprint", fmt::format("{:016x}", saved.training.fingerprint)},
                {"seed", saved.training.seed},
                {"best_iteration", saved.training.best_iteration},
                {"validation", saved.training.validation}}}};
  Json ranked = Json::array();
  for (const std::size_t f : order)
    if (sizes[f] > 0) ranked.push_back({{"feature", names[f]}, {"importance", sizes[f]}});
  out.json["importance"] = ranked;

  out.text = fmt::format("{}: a model trained by {}\n", path, saved.learner);
  for (const auto& [name, value] : saved.options)
    out.text += fmt::format("option {}\t{}\n", name, podium::to_text(value));
  if (!saved.loss.empty()) out.text += fmt::format("loss\t{}\n", saved.loss);
  out.text += fmt::format("chosen by\t{}\n", saved.measure);
  for (const auto& [name, value] : saved.training.validation)
    out.text += fmt::format("valid {}\t{:.6f}\n", name, value);
  out.text +=
      fmt::format("trained on\t{} queries, {} documents, fingerprint {:016x}\n",
                  saved.training.queries, saved.training.documents, saved.training.fingerprint);
  out.text +=
      fmt::format("features\t{}, missing counts as {}, normalization {}\n", saved.features.size(),
                  saved.missing, to_text(saved.normalization.normalization));
  out.text += fmt::format("importance (of {} inputs in use)\n", ranked.size());
  for (std::size_t i = 0; i < std::min<std::size_t>(ranked.size(), 20); ++i)
    out.text += fmt::format("  {:<24} {:.6g}\n", names[order[i]], sizes[order[i]]);
  if (ranked.size() > 20)
    out.text += fmt::format("  … {} more (--json shows all)\n", ranked.size() - 20);
  return out;
}

std::function<void()> declare_inspect(CLI::App& command, Frame& frame) {
  auto files = std::make_shared<std::vector<std::string>>();
  auto reading = std::make_shared<DataOptions>();
  command.add_option("FILE", *files, "data files, or models (.json, .json.zst)")->required();
  reading->add(command);
  return [files, reading, &frame] {
    Json all = Json::array();
    std::string text;
    for (const std::string& path : *files) {
      Inspection one =
          is_model(path) ? inspect_model(path) : inspect_data(path, *reading, frame.context());
      all.push_back(std::move(one.json));
      text += (text.empty() ? "" : "\n") + one.text;
    }
    if (!frame.json())
      print(text);
    else
      print_json(all.size() == 1 ? all[0] : Json{{"files", all}});
  };
}

}  // namespace podium::cli

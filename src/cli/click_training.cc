#include "cli/click_training.h"

#include <optional>

#include <fmt/format.h>

#include "podium/error.h"

namespace podium::cli {

void ClickTraining::add(CLI::App& command) {
  clicks_.add(command, Needed::optional);
  command
      .add_option("--propensities", propensities_,
                  "with --clicks: how often each position is examined, from `podium clicks fit -o`")
      ->type_name("FILE")
      ->group("Click log");
  fields_.add(command, debias_option_table().fields(), "Click log");
}

DebiasOptions ClickTraining::options() const {
  const auto& table = debias_option_table();
  return table.read(Settings(table.fields(), fields_.given()));
}

void ClickTraining::check(const std::string& init, const ChosenLearner& learner,
                          const Frame& frame) const {
  clicks_.check();
  if (!given()) {
    const Assignments others = fields_.given();
    if (!others.empty())
      throw Error(ErrorCode::usage, fmt::format("--{} needs --clicks", others[0].first));
    if (!propensities_.empty()) throw Error(ErrorCode::usage, "--propensities needs --clicks");
    return;
  }
  if (frame.group())
    throw Error(ErrorCode::usage, "training on clicks needs a single process: leave out mpirun");
  if (!init.empty() && !init.ends_with(".json") && !init.starts_with("feature:"))
    throw Error(ErrorCode::usage, "--clicks keeps only documents that were shown, so that --init "
                                  "cannot be a file of scores");
  const Debias method = options().debias;
  if (method != Debias::judged && !learner.learner->loss())
    throw Error(ErrorCode::usage, fmt::format("{} minimises no loss that clicks could weight: train "
                                              "it with --debias judged",
                                              learner.name));
}

Dataset ClickTraining::debias(const Dataset& data, TrainingSpec& spec, Context& context) const {
  const DebiasOptions chosen = options();
  std::optional<Propensities> propensities;
  if (!propensities_.empty()) propensities = load_propensities(propensities_);
  const ClickLog log = clicks_.read(
      &data, 0, needs_sessions(chosen.debias) ? KeptSessions::distinct : KeptSessions::none, context);
  DebiasedData debiased =
      debias_clicks(data, log, propensities ? &*propensities : nullptr, chosen, context);
  if (needs_propensities(chosen.debias))
    context.observer.note(fmt::format(
        "{:.0f} effective clicks, largest weight {:.2f}, {:.1f} % of the clicks clipped at "
        "propensity {}",
        debiased.effective_clicks, debiased.largest_weight, 100 * debiased.clipped, chosen.clip));
  spec.rewrite_loss = std::move(debiased.rewrite_loss);
  return std::move(debiased.data);
}

}  // namespace podium::cli

#include "cli/click_training.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "podium/error.h"

namespace podium::cli {

namespace {

constexpr const char* kPropensityClip = "propensity-clip";
constexpr const char* kClip = "clip";  // the same, for learners without a ‹clip› of their own

}  // namespace

void ClickTraining::add(CLI::App& command, std::span<const Field> learner) {
  clicks_.add(command, Needed::optional);
  command
      .add_option("--propensities", propensities_,
                  "with --clicks: how often each position is examined, from `podium clicks fit -o` "
                  "(default of ipw and overlap: the log's column "
                  "propensity)")
      ->type_name("FILE")
      ->group("Click log");
  learner_clips_ = std::any_of(learner.begin(), learner.end(),
                               [](const Field& field) { return field.name == kClip; });
  if (learner_clips_)
    fields_.add(command, debias_option_table().fields(), "Click log");
  else
    fields_.add(command, debias_option_table().fields(), "Click log", kPropensityClip, kClip);
}

DebiasOptions ClickTraining::options() const {
  const auto& table = debias_option_table();
  return table.read(Settings(table.fields(), fields_.given()));
}

void ClickTraining::check(const std::string& init, const ChosenLearner& learner) const {
  clicks_.check();
  if (!given()) {
    const Assignments others = fields_.given();
    if (!others.empty())
      throw Error(ErrorCode::usage, fmt::format("--{} needs --clicks", others[0].first));
    if (!propensities_.empty()) throw Error(ErrorCode::usage, "--propensities needs --clicks");
    return;
  }
  if (!init.empty() && !init.ends_with(".json") && !init.starts_with("feature:"))
    throw Error(ErrorCode::usage,
                "--clicks keeps only documents that were shown, so that --init "
                "cannot be a file of scores");
  const Debias method = options().debias;
  check_used(method);
  if (method != Debias::judged && !learner.learner->loss())
    throw Error(ErrorCode::usage,
                fmt::format("{} minimises no loss that clicks could weight: train "
                            "it with --debias judged",
                            learner.name));
}

void ClickTraining::check_used(Debias method) const {
  const auto refuse = [](const std::string& name, const char* methods) {
    return Error(ErrorCode::usage, fmt::format("--{} is for --debias {}", name, methods));
  };
  for (const auto& [name, value] : fields_.given()) {
    if (name == kPropensityClip && !clips_weights(method))
      throw refuse(name, "ipw, affine and dual");
    if (name == "bias-regularisation" && method != Debias::pairwise) throw refuse(name, "pairwise");
    if (name == "bias-l2" && method != Debias::additive) throw refuse(name, "additive");
  }
  if (!propensities_.empty() && !needs_propensities(method) && method != Debias::judged)
    throw refuse("propensities", "ipw, overlap, affine and judged");
}

Dataset ClickTraining::debias(const Dataset& data, TrainingSpec& spec, Context& context) const {
  const DebiasOptions chosen = options();
  std::optional<Propensities> propensities;
  if (!propensities_.empty()) propensities = load_propensities(propensities_);
  if (propensities && propensities->assumed > 0)
    context.observer.note(
        fmt::format("the propensities compare {} groups of positions by an assumption, not by "
                    "clicks",
                    propensities->assumed));
  // Every rank reads the whole log, and learns from its own queries.
  const bool ranks = context.comm.size() > 1;
  const Dataset ids = ranks ? ids_of_all_ranks(data, context.comm) : Dataset();
  const ClickLog log = clicks_.read(
      ranks ? &ids : &data, 0,
      needs_sessions(chosen.debias) ? KeptSessions::distinct : KeptSessions::none, context);
  DebiasedData debiased =
      debias_clicks(data, log, propensities ? &*propensities : nullptr, chosen, context);
  const bool own_clip =
      learner_clips_ && std::any_of(spec.options.begin(), spec.options.end(),
                                    [](const auto& option) { return option.first == kClip; });
  if (own_clip && needs_propensities(chosen.debias) && clips_weights(chosen.debias))
    context.observer.note(fmt::format(
        "--clip limits the gradients of {}; --propensity-clip limits propensities", spec.learner));
  if (clips_weights(chosen.debias) && needs_propensities(chosen.debias))
    context.observer.note(fmt::format(
        "{:.0f} effective clicks, largest weight {:.2f}, {:.1f} % of the clicks clipped at "
        "propensity {}",
        debiased.effective_clicks, debiased.largest_weight, 100 * debiased.clipped, chosen.clip));
  spec.rewrite_loss = std::move(debiased.rewrite_loss);
  return std::move(debiased.data);
}

}  // namespace podium::cli

#include "experiments/tuning.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <numeric>

#include <fmt/format.h>

#include "experiments/latin_hypercube.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr std::size_t kMostStages = 4;
constexpr std::size_t kLeastQueries = 20;  // of the first stage

std::vector<Assignments> candidates(const std::vector<const Field*>& space, std::size_t count,
                                    std::uint64_t seed) {
  std::vector<Assignments> all(1);  // the defaults
  for (const auto& point : latin_hypercube(count - 1, space.size(), seed)) {
    Assignments options;
    for (std::size_t d = 0; d < space.size(); ++d)
      options.emplace_back(space[d]->name, space[d]->search->at(point[d], space[d]->initial));
    all.push_back(std::move(options));
  }
  return all;
}

std::size_t stages_for(const TuningPlan& plan, std::size_t count, std::size_t queries) {
  if (plan.method == SearchMethod::latin_hypercube) return 1;
  std::size_t stages = 1;
  while (stages < kMostStages && (std::size_t{1} << stages) <= count &&
         queries >> stages >= kLeastQueries)
    ++stages;
  return stages;
}

// The trials from best to worst; failed ones last, equal ones in order.
std::vector<std::size_t> ranked(const std::vector<Trial>& trials) {
  std::vector<std::size_t> order(trials.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (!trials[a].value || !trials[b].value) return trials[a].value && !trials[b].value;
    return *trials[a].value > *trials[b].value;
  });
  return order;
}

// In order; always includes the defaults, which come first.
std::vector<Assignments> better_half(const std::vector<Assignments>& options,
                                     const std::vector<std::size_t>& order) {
  std::vector<std::size_t> kept(
      order.begin(), order.begin() + static_cast<std::ptrdiff_t>((order.size() + 1) / 2));
  if (std::find(kept.begin(), kept.end(), std::size_t{0}) == kept.end()) kept.push_back(0);
  std::sort(kept.begin(), kept.end());
  std::vector<Assignments> better;
  for (const std::size_t i : kept) better.push_back(options[i]);
  return better;
}

struct TrialStage {
  std::vector<Trial> trials;
  std::vector<std::exception_ptr> failures;
};

TrialStage run_stage(const std::vector<Assignments>& options, int stage, double share,
                     const RunTrial& run, Context& context) {
  TrialStage out;
  out.trials.resize(options.size());
  out.failures.resize(options.size());
  context.pool.run(options.size(), [&](std::size_t i) {
    Trial& trial = out.trials[i];
    trial = {options[i], {}, {}, stage, share};
    if (context.stop.stop_requested()) return;
    try {
      const double value = run(options[i], share);
      if (std::isnan(value))
        throw Error(ErrorCode::training,
                    "the measure is undefined on the validation data: none of its queries counts");
      trial.value = value;
    } catch (const Error& error) {
      trial.message = error.message();
      out.failures[i] = std::current_exception();
    }
  });
  return out;
}

}  // namespace

const Choices<SearchMethod>& search_methods() {
  static const Choices<SearchMethod> choices = {
      {"latin-hypercube", SearchMethod::latin_hypercube},
      {"successive-halving", SearchMethod::successive_halving}};
  return choices;
}

std::vector<const Field*> search_space(const std::vector<Field>& fields, const Settings& fixed) {
  std::vector<const Field*> space;
  for (const Field& field : fields)
    if (field.search && !fixed.given(field.name)) space.push_back(&field);
  return space;
}

Tuned tune(const std::vector<const Field*>& space, const TuningPlan& plan, std::size_t queries,
           const RunTrial& run, Context& context) {
  const std::size_t count = space.empty() ? 1 : std::max<std::size_t>(plan.trials, 1);
  std::vector<Assignments> alive = candidates(space, count, context.seed);
  const std::size_t stages = stages_for(plan, count, queries);
  Tuned out;
  for (std::size_t s = 0; s < stages; ++s) {
    const double share = 1.0 / static_cast<double>(std::size_t{1} << (stages - 1 - s));
    const TrialStage stage = run_stage(alive, static_cast<int>(s + 1), share, run, context);
    const std::vector<std::size_t> order = ranked(stage.trials);
    const bool failed = !stage.trials[order[0]].value;
    if (failed && !context.stop.stop_requested()) std::rethrow_exception(stage.failures[0]);
    if (s + 1 == stages) out.best = out.trials.size() + order[0];
    out.trials.insert(out.trials.end(), stage.trials.begin(), stage.trials.end());
    if (context.stop.stop_requested()) break;
    alive = better_half(alive, order);
  }
  return out;
}

}  // namespace podium

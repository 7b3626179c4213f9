#include "learners/boosting/bagging.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/random.h"
#include "learners/checkpoint/checkpoint_models.h"
#include "learners/checkpoint/checkpointing.h"
#include "learners/deadline.h"
#include "models/model_kinds.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr std::uint64_t kBootstrapStream = 0x626F6F74;  // "boot"
constexpr std::uint64_t kForestStream = 0x626167;       // "bag"
// P(Poisson(1) ≤ k) for k = 0, 1, …; more often than nine times is rarer than one query in 10⁶.
constexpr double kPoisson[] = {0.36787944117144233, 0.73575888234288467, 0.91969860292860584,
                               0.98101184312384626, 0.99634015317265634, 0.99940581518241833,
                               0.99991675885071198, 0.99998975080332525, 0.99999887479740192};

// What has come of the forests so far.
struct BagState {
  std::vector<Forest> forests = {};
  std::vector<Iteration> log = {};
  template <class Archive, class Self>
  static void fields(Archive& archive, Self& self) {
    archive(self.forests, self.log);
  }
};

// The checkpoints of one forest, saved with those of the forests before it.
class ForestCheckpoints final : public Checkpoints {
 public:
  ForestCheckpoints(Checkpoints* whole, const BagState& done, const Deadline& deadline,
                    std::vector<std::byte> found)
      : whole_(whole), done_(done), deadline_(deadline), found_(std::move(found)) {}

  std::span<const std::byte> resumed() const override { return found_; }
  bool due() override { return whole_->due(); }
  void keep(std::span<const std::byte> state) override {
    ArchiveWriter writer;
    writer(done_, deadline_, std::vector<std::byte>(state.begin(), state.end()));
    whole_->keep(writer.take());
  }

 private:
  Checkpoints* whole_;
  const BagState& done_;
  const Deadline& deadline_;
  std::vector<std::byte> found_;
};

// Passes on what concerns every forest once.
class NotesOnce final : public Observer {
 public:
  explicit NotesOnce(Observer& observer) : observer_(observer) {}

  void phase(std::string_view name) override { observer_.phase(name); }
  void iteration(const Iteration& step) override { observer_.iteration(step); }
  void note(std::string_view text) override {
    if (said_.emplace(text).second) observer_.note(text);
  }

 private:
  Observer& observer_;
  std::set<std::string> said_;
};

// The mean of the forests. The trees that all of them started from are kept as they are.
Forest average(std::vector<Forest> forests, std::size_t given) {
  const double share = 1.0 / static_cast<double>(forests.size());
  Forest mean = forests[0];
  mean.trees.resize(given);
  if (given == 0)
    for (std::size_t k = 0; k < mean.base.size(); ++k) {
      double sum = 0;
      for (const Forest& forest : forests) sum += forest.base[k];
      mean.base[k] = share * sum;
    }
  for (Forest& forest : forests)
    for (std::size_t t = given; t < forest.trees.size(); ++t) {
      for (double& value : forest.trees[t].values) value *= share;
      mean.trees.push_back(std::move(forest.trees[t]));
    }
  return mean;
}

class Bagging {
 public:
  Bagging(const TrainingProblem& problem, const Loss& loss, const BoostingOptions& options,
          Context& context, const TreeWeigher& weigher)
      : problem_(problem),
        loss_(loss),
        options_(options),
        context_(context),
        weigher_(weigher),
        notes_(context.observer),
        deadline_(options.max_seconds) {
    options_.bag = 1;
    problem_.bins = nullptr;  // by seed: a cache would keep the bins of all forests
  }

  TrainingResult run(std::int64_t forests) {
    std::vector<std::byte> found;
    resume(context_, state_, deadline_, found);
    TrainingResult last;
    while (static_cast<std::int64_t>(state_.forests.size()) < forests) {
      if (!add_forest(forests, std::exchange(found, {}), last)) break;
    }
    return finish(std::move(last));
  }

 private:
  // False if a stop request or the time limit ended it.
  bool add_forest(std::int64_t forests, std::vector<std::byte> found, TrainingResult& last) {
    const auto number = static_cast<std::uint64_t>(state_.forests.size());
    if (const auto why = number > 0 ? deadline_.reached(context_) : std::nullopt) {
      last.termination = *why;
      return false;
    }
    context_.observer.phase(fmt::format("growing forest {} of {}", number + 1, forests));
    ForestCheckpoints checkpoints(context_.checkpoints, state_, deadline_, std::move(found));
    Context inside{.seed = mix(context_.seed ^ kForestStream, number),
                   .pool = context_.pool,
                   .comm = context_.comm,
                   .observer = notes_,
                   .stop = context_.stop,
                   .checkpoints = context_.checkpoints ? &checkpoints : nullptr,
                   .device = context_.device};
    BoostingOptions options = options_;
    if (options.max_seconds > 0)
      options.max_seconds = std::max(1e-3, options.max_seconds - deadline_.seconds());
    try {
      last = train_by_boosting(problem_, loss_, options, inside, weigher_,
                               bootstrap_counts(problem_.train, inside));
    } catch (const Stopped&) {
      if (state_.forests.empty()) throw;
      last.termination = Termination::stopped;
      return false;
    }
    for (Iteration& step : last.log) {
      step.number = static_cast<std::int64_t>(state_.log.size()) + 1;
      state_.log.push_back(std::move(step));
    }
    state_.forests.push_back(
        require_forest(last.model, Error(ErrorCode::training, "boosting gave no forest")));
    return last.termination != Termination::stopped && last.termination != Termination::time_limit;
  }

  TrainingResult finish(TrainingResult result) {
    const std::size_t given =
        problem_.start.model ? tree_count(*problem_.start.model).value_or(0) : 0;
    Forest forest = average(std::move(state_.forests), given);
    result.best_iteration = static_cast<std::int64_t>(forest.trees.size() /
                                                      std::max<std::size_t>(1, forest.base.size()));
    result.model = std::move(forest);
    result.log = std::move(state_.log);
    return result;
  }

  TrainingProblem problem_;
  const Loss& loss_;
  BoostingOptions options_;
  Context& context_;
  const TreeWeigher& weigher_;
  NotesOnce notes_;
  Deadline deadline_;
  BagState state_;
};

}  // namespace

std::vector<double> bootstrap_counts(const Dataset& data, Context& context) {
  std::vector<double> counts(data.queries());
  parallel_for(context.pool, counts.size(), 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t q = begin; q < end; ++q) {
      const double drawn = Random(context.seed ^ kBootstrapStream, data.query_key(q)).uniform();
      for (const double below : kPoisson) counts[q] += drawn >= below;
    }
  });
  return counts;
}

TrainingResult train_bagged(const TrainingProblem& problem, const Loss& loss,
                            const BoostingOptions& options, Context& context,
                            const TreeWeigher& weigher) {
  return Bagging(problem, loss, options, context, weigher).run(options.bag);
}

}  // namespace podium

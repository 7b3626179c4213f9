// Learners of smoothed measures, along a path of decreasing smoothing; each step starts where the
// previous one ended. Equal scores for all documents are a saddle point or a poor start for such
// losses, so the path begins at the least-squares solution, as in [Chapelle10].
//   smoothrank  soft choices of documents for ranks [Chapelle10]
//   softrank    expected nDCG of Gaussian scores [Taylor08]
// Differs from [Chapelle10]: weights are decayed towards 0, not towards the first solution.
#include <charconv>

#include <fmt/format.h>

#include "core/spec.h"
#include "learners/catalog.h"
#include "learners/loss_learner.h"
#include "learners/parametric/training.h"
#include "losses/listwise/smooth.h"
#include "losses/listwise/softrank.h"
#include "losses/pointwise/query_squared.h"
#include "measures/choices.h"
#include "measures/gain.h"
#include "podium/error.h"

namespace podium {
namespace {

std::vector<double> parse_sigmas(std::string_view text) {
  std::vector<double> sigmas;
  for (const std::string_view item : split_outside_parentheses(text, ',')) {
    const std::string_view plain = trim(item);
    double sigma = 0;
    const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), sigma);
    if (error != std::errc() || end != plain.data() + plain.size() || !(sigma >= 1e-12) ||
        !(sigma <= 1e12))
      throw Error(ErrorCode::usage,
                  fmt::format("‹sigmas›: '{}' is not a number from 1e-12 to 1e12", plain));
    sigmas.push_back(sigma);
  }
  return sigmas;
}

struct AnnealedOptions : ParametricOptions {
  std::string sigmas;
  std::string gain = "exp2";
  // On purpose not the losses': a loss without @k counts the whole list, a model is chosen by its
  // first ranks.
  std::int64_t k = kUsualRanks;
};

struct SmoothRank {
  struct Options : AnnealedOptions {
    Options() { sigmas = "1,0.3,0.1,0.03,0.01"; }
    SmoothedMeasure smoothed = SmoothOptions{}.measure;
    double relevant_from = SmoothOptions{}.relevant_from;
  };
  static void add_to(OptionTable<Options>& table) {
    table.add("smoothed", &Options::smoothed, "measure to smooth", smoothed_measures())
        .add("relevant-from", &Options::relevant_from, "AP: lowest grade that counts as relevant")
        .add("sigmas", &Options::sigmas,
             "smoothing parameters (squared score differences), in annealing order");
  }
  static SharedLoss loss(const Options& o, double sigma) {
    if (o.smoothed == SmoothedMeasure::ap)
      return smooth_loss({.measure = o.smoothed, .sigma = sigma, .relevant_from = o.relevant_from});
    return smooth_loss({.sigma = sigma, .gain = o.gain, .k = o.k});
  }
};

struct SoftRank {
  struct Options : AnnealedOptions {
    Options() { sigmas = "1,0.3,0.1"; }
  };
  static void add_to(OptionTable<Options>& table) {
    table.add("sigmas", &Options::sigmas, "standard deviations of the scores, in annealing order");
  }
  static SharedLoss loss(const Options& o, double sigma) {
    return softrank_loss({.sigma = sigma, .gain = o.gain, .k = o.k});
  }
};

template <class Row>
class AnnealedLearner final : public LossLearner<AnnealedLearner<Row>> {
 public:
  static const OptionTable<typename Row::Options>& table() {
    using Options = typename Row::Options;
    static const auto table = [] {
      OptionTable<Options> all;
      Row::add_to(all);
      all.add("k", &Options::k, "cut-off of nDCG; 0: the whole list", at_least(0))
          .add("gain", &Options::gain, kNdcgGainHelp);
      add_network_options(all);
      add_gradient_options(all);
      return search_network_options(all, {"", "16"});
    }();
    return table;
  }
  // Its loss is the last one of the path.
  explicit AnnealedLearner(typename Row::Options options)
      : LossLearner<AnnealedLearner>(Row::loss(options, parse_sigmas(options.sigmas).back())),
        options_(std::move(options)),
        sigmas_(parse_sigmas(options_.sigmas)) {}

  std::unique_ptr<const Learner> with_loss(const SharedLoss&) const override {
    throw Error(ErrorCode::usage, "this learner makes its own losses: it takes no ‹pointwise›");
  }
  bool takes_start() const override { return true; }
  MemoryNeed memory_need(const Dataset& train) const override {
    return memory_of_gradients(options_, train);
  }

  TrainingResult train(const TrainingProblem& problem, Context& context) const override {
    std::vector<AnnealingStage> stages;
    if (!problem.start.model)
      stages.push_back({query_squared_loss({}), 0, AnnealingStage::Role::start});
    for (const double sigma : sigmas_) stages.push_back({Row::loss(options_, sigma), sigma});
    return anneal_by_gradients(problem, stages, options_, context);
  }

 private:
  typename Row::Options options_;
  std::vector<double> sigmas_;
};

}  // namespace

const Entry<Learner> kSmoothRankLearner = learner_row<AnnealedLearner<SmoothRank>>(
    "smoothrank", "a smoothed measure, annealed towards the exact one", "Chapelle10");
const Entry<Learner> kSoftRankLearner = learner_row<AnnealedLearner<SoftRank>>(
    "softrank", "expected nDCG under Gaussian scores", "Taylor08");

}  // namespace podium

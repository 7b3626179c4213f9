#include "podium/debiased.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "clicks/click_pairs.h"
#include "clicks/click_weights.h"
#include "clicks/dual_loss.h"
#include "clicks/log_share.h"
#include "clicks/overlap.h"
#include "clicks/shown_documents.h"
#include "core/counted.h"
#include "podium/error.h"
#include "podium/judgement.h"

namespace podium {
namespace {

const Choices<Debias>& debias_methods() {
  static const Choices<Debias> methods = {
      {"naive", Debias::naive},   {"ipw", Debias::ipw},           {"overlap", Debias::overlap},
      {"affine", Debias::affine}, {"pairwise", Debias::pairwise}, {"additive", Debias::additive},
      {"dual", Debias::dual},     {"judged", Debias::judged}};
  return methods;
}

// Weights of clicks, and what they say about relevance.
struct CountedClicks {
  std::vector<double> weights;    // W of each document of the log
  std::vector<double> relevance;  // W per time it was shown
  double sum = 0, squares = 0, clicks = 0, clipped = 0, largest = 0;
  std::size_t negative = 0;
};

constexpr double kRounding = 1e-6;  // of estimates of relevance

// What one click of a cell counts, and what is taken off per time shown.
struct CellRule {
  double per_click = 1, per_show = 0;
  bool clipped = false;
};

CellRule rule_of(const ClickCell& cell, const ClickLog& log, const Propensities* propensities,
                 const DebiasOptions& options) {
  if (options.debias == Debias::ipw) {
    // Propensities of the log itself are a mean of the cell's.
    const double theta = log.has_propensities && !propensities
                             ? (cell.inverse > 0 ? cell.clicked / cell.inverse : 1)
                             : propensities->at(cell.position);
    return {1 / std::max(theta, options.clip), 0, theta < options.clip};
  }
  if (options.debias == Debias::affine) {
    const std::size_t p = cell.position - 1;
    const double slope = std::max(propensities->slope[p], options.clip);
    return {1 / slope, propensities->offset[p] / slope, propensities->slope[p] < options.clip};
  }
  return {};
}

CountedClicks count_clicks(const ClickLog& log, const Propensities* propensities,
                           const DebiasOptions& options) {
  CountedClicks counts;
  for (std::size_t d = 0; d < log.documents(); ++d) {
    double weight = 0, shown = 0;
    for (const ClickCell& cell : log.cells_of(d)) {
      const CellRule rule = rule_of(cell, log, propensities, options);
      weight += cell.clicked * rule.per_click - cell.shown * rule.per_show;
      shown += cell.shown;
      counts.sum += cell.clicked * rule.per_click;
      counts.squares += cell.clicked * rule.per_click * rule.per_click;
      counts.clicks += cell.clicked;
      if (rule.clipped) counts.clipped += cell.clicked;
      if (cell.clicked > 0) counts.largest = std::max(counts.largest, rule.per_click);
    }
    if (weight < -kRounding * shown) ++counts.negative;
    counts.weights.push_back(weight);
    counts.relevance.push_back(shown > 0 ? weight / shown : 0);
  }
  return counts;
}

// Weights of pairs and of softmax must not be negative: without bound for the scores, the loss
// would fall for ever. Squared error learns the estimates themselves.
void require_signed(const Loss& loss, std::size_t negative, std::size_t documents) {
  const std::string name = loss.name();
  if (name == "squared" || (name.starts_with("squared(") && name.find('+') == name.npos)) return;
  throw Error(
      ErrorCode::usage,
      fmt::format(
          "‹debias affine›: {} of {} have estimates of relevance below 0, fewer clicks than "
          "trust alone explains, which {} does not take: squared does, as boosting or "
          "linear with ‹loss squared›",
          negative, counted(documents, "document"), name));
}

// A rank's part of the log; all of it, without a copy, in a single process.
class OwnLog {
 public:
  OwnLog(const Dataset& data, const ClickLog& log, Communicator& comm) : whole_(log) {
    if (comm.size() > 1) share_ = share_of(log, rows_before(data, comm), data.documents());
  }
  const ClickLog& log() const { return share_ ? share_->log : whole_; }
  // Values of its documents.
  template <class T>
  std::vector<T> of(std::vector<T> values) const {
    if (!share_) return values;
    std::vector<T> mine;
    for (const std::uint32_t d : share_->documents) mine.push_back(values[d]);
    return mine;
  }

 private:
  const ClickLog& whole_;
  std::optional<LogShare> share_;
};

DebiasedData judged_clicks(const Dataset& data, const ClickLog& log, const OwnLog& own,
                           const Propensities* propensities, Context& context) {
  const ClickModel model =
      fit_click_model(log, {}, context, propensities ? &propensities->examination : nullptr);
  DebiasedData result;
  result.data = judged_data(data, own.log(), own.of(judge(log, model)), {});
  return result;
}

}  // namespace

bool needs_sessions(Debias method) {
  return method == Debias::pairwise || method == Debias::additive;
}

bool needs_propensities(Debias method) {
  return method == Debias::ipw || method == Debias::overlap || method == Debias::affine;
}

bool clips_weights(Debias method) {
  return method == Debias::ipw || method == Debias::affine || method == Debias::dual;
}

DebiasedData debias_clicks(const Dataset& data, const ClickLog& log,
                           const Propensities* propensities, const DebiasOptions& options,
                           Context& context) {
  const OwnLog own(data, log, context.comm);
  if (options.debias == Debias::judged) return judged_clicks(data, log, own, propensities, context);
  if (needs_propensities(options.debias) && !propensities &&
      (options.debias == Debias::affine || !log.has_propensities))
    throw Error(ErrorCode::usage,
                fmt::format("‹debias {}› needs ‹propensities›: `podium clicks fit` "
                            "estimates them",
                            choice_name(debias_methods(), options.debias)));
  if (propensities && needs_propensities(options.debias)) require_positions(*propensities, log);
  if (options.debias == Debias::affine && propensities->slope.empty())
    throw Error(ErrorCode::usage,
                fmt::format("‹debias affine› needs ‹propensities› with slope and offset, those of "
                            "`podium clicks fit` with ‹model trust›, not {}",
                            propensities->model));
  const CountedClicks counts = count_clicks(log, propensities, options);
  if (!(counts.clicks > 0)) throw Error(ErrorCode::data, "the log has no clicks to learn from");
  DebiasedData result;
  result.data = shown_documents(data, own.log(), own.of(counts.relevance), {});
  result.clipped = counts.clipped / counts.clicks;
  result.effective_clicks = counts.sum * counts.sum / counts.squares;
  result.largest_weight = counts.largest;
  const auto numbers = std::make_shared<const DocumentNumbers>(result.data);
  const std::vector<std::uint32_t> number = numbers_among_shown(own.log());
  // Sessions per query average 1, so that penalties mean what they mean for judged data.
  const double scale = static_cast<double>(log.queries()) / std::max(log.session_total, 1e-300);
  if (needs_sessions(options.debias)) {
    const auto pairs =
        std::make_shared<const ClickPairs>(count_click_pairs(own.log(), number, scale));
    result.rewrite_loss = [=](const SharedLoss& loss) {
      return click_pair_loss(loss, options, numbers, pairs);
    };
    return result;
  }
  if (options.debias == Debias::dual) {
    const auto cells =
        std::make_shared<const DualCells>(count_dual_cells(own.log(), number, scale));
    result.rewrite_loss = [=](const SharedLoss& loss) {
      return dual_loss(loss, options, numbers, cells);
    };
    return result;
  }
  if (options.debias == Debias::overlap) {
    ExaminedClicks examined = examined_clicks(log, propensities);
    const std::vector<double> clicks = own.of(std::move(examined.clicks)),
                              shows = own.of(std::move(examined.exposures));
    auto weights = std::make_shared<std::vector<double>>(clicks.size());
    auto exposures = std::make_shared<std::vector<double>>(clicks.size());
    for (std::size_t d = 0; d < number.size(); ++d) {
      (*weights)[number[d]] = clicks[d] * scale;
      (*exposures)[number[d]] = shows[d];
    }
    result.rewrite_loss = [=](const SharedLoss& loss) {
      return overlap_loss(loss, numbers, weights, exposures);
    };
    return result;
  }
  const std::size_t negative = counts.negative, documents = counts.weights.size();
  const std::vector<double> clicks = own.of(counts.weights);
  auto weights = std::make_shared<std::vector<double>>(clicks.size());
  for (std::size_t d = 0; d < number.size(); ++d) (*weights)[number[d]] = clicks[d] * scale;
  const std::string method = choice_name(debias_methods(), options.debias);
  result.rewrite_loss = [=](const SharedLoss& loss) {
    if (negative > 0) require_signed(*loss, negative, documents);
    return click_weighted_loss(loss, method, numbers, weights);
  };
  return result;
}

const OptionTable<DebiasOptions>& debias_option_table() {
  static const auto options =
      OptionTable<DebiasOptions>()
          .add("debias", &DebiasOptions::debias, "how clicks are corrected for where they happened",
               debias_methods())
          .add("propensity-clip", &DebiasOptions::clip,
               "smallest propensity that a click is divided by (ipw, affine, dual)",
               between(1e-6, 1))
          .add("bias-regularisation", &DebiasOptions::bias_regularisation,
               "pairwise: 0 follows the losses at each position, larger values trust them less",
               between(0, 100))
          .add("bias-l2", &DebiasOptions::bias_l2,
               "additive: penalty of the position terms, in percent of the mean curvature",
               at_least(0));
  return options;
}

}  // namespace podium

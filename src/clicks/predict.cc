// What a click model predicts, and how well: the log-likelihood per session uses the clicks above,
// perplexity does not: at position p it is 2 to the mean of −log2 of the probability of what happened.
#include <algorithm>

#include "clicks/fits.h"
#include "core/math_functions.h"

namespace podium {
namespace {

constexpr double kClip = 1e-6;  // probabilities stay this far from 0 and 1

double clipped(double p) {
  return std::clamp(p, kClip, 1 - kClip);
}

// After a click on this document, and after none.
std::pair<double, double> chances_to_go_on(const ClickModel& model, const ShownDocument& one) {
  switch (model.kind) {
    case ClickModelKind::cascade:
      return {0.0, 1.0};
    case ClickModelKind::dcm:
      return {model.continuation[one.position - 1], 1.0};
    case ClickModelKind::sdbn:
      return {1 - model.satisfaction[one.document], 1.0};
    default:
      return {model.perseverance * (1 - model.satisfaction[one.document]), model.perseverance};
  }
}

void predict_chain(const ClickModel& model, std::span<const ShownDocument> shown,
                   SessionProbabilities& out) {
  double known = 1, unknown = 1;  // P(examined)
  for (std::size_t r = 0; r < shown.size(); ++r) {
    const double alpha = model.attraction[shown[r].document];
    const auto [clicked, skipped] = chances_to_go_on(model, shown[r]);
    out.conditional[r] = known * alpha;
    out.marginal[r] = unknown * alpha;
    known = shown[r].clicked ? clicked
                             : skipped * known * (1 - alpha) / std::max(1 - known * alpha, kClip);
    unknown *= alpha * clicked + (1 - alpha) * skipped;
  }
}

void predict_ubm(const ClickModel& model, std::span<const ShownDocument> shown,
                 SessionProbabilities& out) {
  const auto theta = [&](std::uint32_t position, std::uint32_t last) {
    return model.by_distance[position - 1][position - last - 1];
  };
  std::vector<double> last_at(shown.empty() ? 1 : shown.back().position + 1U, 0.0);
  last_at[0] = 1;  // P(the last click above was there)
  std::uint32_t last = 0;
  for (std::size_t r = 0; r < shown.size(); ++r) {
    const std::uint32_t p = shown[r].position;
    const double gamma = model.attraction[shown[r].document];
    out.conditional[r] = theta(p, last) * gamma;
    double click = 0;
    for (std::uint32_t before = 0; before < p; ++before) {
      const double here = last_at[before] * theta(p, before) * gamma;
      click += here;
      last_at[before] -= here;
    }
    last_at[p] = click;
    out.marginal[r] = click;
    if (shown[r].clicked) last = p;
  }
}

// Sums of one set of sessions.
class FitSums {
 public:
  explicit FitSums(std::size_t positions) : bits_(positions), shown_(positions) {}

  void add(std::uint32_t position, double marginal, double clicked, double shown) {
    bits_[position - 1] -= clicked * math::log2(clipped(marginal)) +
                           (shown - clicked) * math::log2(1 - clipped(marginal));
    shown_[position - 1] += shown;
  }
  void add_likelihood(double conditional, double clicked, double shown) {
    likelihood_ += clicked * math::log(clipped(conditional)) +
                   (shown - clicked) * math::log(1 - clipped(conditional));
  }
  double likelihood() const { return likelihood_; }
  ClickFit finish(double sessions) const {
    ClickFit fit;
    std::size_t counted = 0;
    for (std::size_t p = 0; p < bits_.size(); ++p) {
      fit.by_position.push_back(shown_[p] > 0 ? math::exp2(bits_[p] / shown_[p]) : 0);
      if (shown_[p] > 0) fit.perplexity += fit.by_position.back();
      if (shown_[p] > 0) ++counted;
    }
    if (counted > 0) fit.perplexity /= static_cast<double>(counted);
    fit.log_likelihood = sessions > 0 ? likelihood_ / sessions : 0;
    return fit;
  }

 private:
  std::vector<double> bits_, shown_;
  double likelihood_ = 0;
};

double overall_rate(const ClickLog& log) {
  double shown = 0, clicked = 0;
  for (const ClickCell& cell : log.cells) {
    shown += cell.shown;
    clicked += cell.clicked;
  }
  return shown > 0 ? clicked / shown : 0;
}

}  // namespace

double click_probability(const ClickModel& model, std::uint32_t document, std::uint32_t position) {
  if (model.kind == ClickModelKind::trust)
    return model.slope[position - 1] * model.attraction[document] + model.offset[position - 1];
  return model.propensities[position - 1] * model.attraction[document];
}

void predict_session(const ClickModel& model, std::span<const ShownDocument> shown,
                     SessionProbabilities& out) {
  out.conditional.assign(shown.size(), 0);
  out.marginal.assign(shown.size(), 0);
  if (model.kind == ClickModelKind::ubm) return predict_ubm(model, shown, out);
  if (needs_sessions(model.kind)) return predict_chain(model, shown, out);
  for (std::size_t r = 0; r < shown.size(); ++r)
    out.conditional[r] = out.marginal[r] =
        click_probability(model, shown[r].document, shown[r].position);
}

void evaluate_click_model(const ClickLog& log, ClickModel& model) {
  FitSums training(log.positions), held(log.positions), null_training(log.positions),
      null_held(log.positions);
  const double rate = overall_rate(log);
  for (const ClickCell& cell : log.cells) {
    null_training.add(cell.position, rate, cell.clicked, cell.shown);
    null_training.add_likelihood(rate, cell.clicked, cell.shown);
    null_held.add(cell.position, rate, cell.held_clicked, cell.held_shown);
    null_held.add_likelihood(rate, cell.held_clicked, cell.held_shown);
    if (needs_sessions(model.kind)) continue;
    const double p = click_probability(model, cell.document, cell.position);
    training.add(cell.position, p, cell.clicked, cell.shown);
    training.add_likelihood(p, cell.clicked, cell.shown);
    held.add(cell.position, p, cell.held_clicked, cell.held_shown);
    held.add_likelihood(p, cell.held_clicked, cell.held_shown);
  }
  SessionProbabilities probabilities;
  if (needs_sessions(model.kind))
    for (const ClickSession& session : log.sessions) {
      const auto shown = log.documents_of(session);
      predict_session(model, shown, probabilities);
      for (std::size_t r = 0; r < shown.size(); ++r) {
        const double c = shown[r].clicked;
        const std::uint32_t p = shown[r].position;
        training.add(p, probabilities.marginal[r], c * session.count, session.count);
        training.add_likelihood(probabilities.conditional[r], c * session.count, session.count);
        held.add(p, probabilities.marginal[r], c * session.held_count, session.held_count);
        held.add_likelihood(probabilities.conditional[r], c * session.held_count, session.held_count);
      }
    }
  model.log_likelihood = training.likelihood();
  model.training = training.finish(log.session_total);
  model.held_out = held.finish(log.held_total);
  model.null_training = null_training.finish(log.session_total);
  model.null_held_out = null_held.finish(log.held_total);
}

}  // namespace podium

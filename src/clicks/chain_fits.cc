// Models of a reader who goes through the list from the top: after a click at position p of document
// d she goes on with probability k, otherwise with h.
//   cascade  k = 0            h = 1
//   dcm      k = λ_p          h = 1
//   sdbn     k = 1 − σ_d      h = 1
//   dbn      k = γ(1 − σ_d)   h = γ     [Chapelle09]
// With h = 1 everything down to the last click was examined, and parameters are counts of it. dbn
// has EM: B_r is the probability of no click from r on, given that r is examined,
//   B_r = (1 − α_r)((1 − γ) + γ B_{r+1}),  B_{n+1} = 1.
#include <algorithm>

#include "clicks/fits.h"
#include "core/math_functions.h"

namespace podium {
namespace {

constexpr std::size_t kSessionChunk = 4096;

// Sums from sessions, each with its weight.
struct ChainCounts {
  std::vector<double> attracted, examined, satisfied, clicked;  // by document
  std::vector<double> last, clicks;                             // by position
  double went_on = 0, could = 0, objective = 0;
};

std::ptrdiff_t last_click(std::span<const ShownDocument> shown) {
  for (auto r = static_cast<std::ptrdiff_t>(shown.size()) - 1; r >= 0; --r)
    if (shown[static_cast<std::size_t>(r)].clicked) return r;
  return -1;
}

void count_session(std::span<const ShownDocument> shown, double weight, bool stops_at_first,
                   ChainCounts& counts) {
  const std::ptrdiff_t last = last_click(shown);
  std::size_t end = last < 0 ? shown.size() : static_cast<std::size_t>(last) + 1;
  for (std::size_t r = 0; r < end; ++r) {
    const ShownDocument& one = shown[r];
    counts.examined[one.document] += weight;
    if (!one.clicked) continue;
    counts.attracted[one.document] += weight;
    counts.clicks[one.position - 1] += weight;
    const bool is_last = static_cast<std::ptrdiff_t>(r) == last;
    if (is_last) counts.satisfied[one.document] += weight;
    if (is_last) counts.last[one.position - 1] += weight;
    if (stops_at_first) break;
  }
}

// Parameters: γ, then α of the documents, then σ of the documents.
class DbnStep {
 public:
  explicit DbnStep(const ClickFitting& fitting)
      : fitting_(fitting), documents_(fitting.log.documents()) {}

  double operator()(std::span<const double> in, std::span<double> out) const {
    ChainCounts counts;
    counts.attracted.resize(documents_);
    counts.examined = counts.satisfied = counts.clicked = counts.attracted;
    const auto& sessions = fitting_.log.sessions;
    // Documents belong to one query, and sessions are sorted by query: tasks that begin at a query
    // write to separate documents.
    const std::vector<std::size_t> begins = task_begins();
    std::vector<ChainCounts> parts(begins.size() - 1);
    fitting_.pool.run(parts.size(), [&](std::size_t task) {
      Tail tail;
      for (std::size_t s = begins[task]; s < begins[task + 1]; ++s)
        if (sessions[s].count > 0) add(sessions[s], in, tail, counts, parts[task]);
    });
    for (const ChainCounts& part : parts) {
      counts.went_on += part.went_on;
      counts.could += part.could;
      counts.objective += part.objective;
    }
    const BetaPrior& prior = fitting_.prior;
    double objective = counts.objective + prior.log_density(in[0]);
    out[0] = prior.mean(counts.went_on, std::max(counts.could, 1e-300));
    for (std::size_t d = 0; d < documents_; ++d) {
      const double alpha = in[1 + d], sigma = in[1 + documents_ + d];
      objective += prior.log_density(alpha) + prior.log_density(sigma);
      out[1 + d] = mean(counts.attracted[d], counts.examined[d]);
      out[1 + documents_ + d] = mean(counts.satisfied[d], counts.clicked[d]);
    }
    return objective;
  }

 private:
  struct Tail {
    std::vector<double> none;  // B
  };

  double mean(double hits, double count) const {
    const BetaPrior& prior = fitting_.prior;
    if (count + prior.alpha + prior.beta - 2 <= 0) return 0.5;
    return prior.mean(hits, count);
  }
  std::vector<std::size_t> task_begins() const {
    const auto& sessions = fitting_.log.sessions;
    std::vector<std::size_t> begins = {0};
    for (std::size_t s = 1; s < sessions.size(); ++s)
      if (sessions[s].query != sessions[s - 1].query && s - begins.back() >= kSessionChunk)
        begins.push_back(s);
    begins.push_back(sessions.size());
    return begins;
  }

  void add(const ClickSession& session, std::span<const double> in, Tail& tail, ChainCounts& of_document,
           ChainCounts& sums) const {
    const auto shown = fitting_.log.documents_of(session);
    const std::size_t n = shown.size();
    const double w = session.count, gamma = in[0];
    const auto alpha = [&](std::size_t r) { return in[1 + shown[r].document]; };
    tail.none.assign(n + 1, 1.0);
    for (std::size_t r = n; r-- > 0;)
      tail.none[r] = (1 - alpha(r)) * (1 - gamma + gamma * tail.none[r + 1]);
    const std::ptrdiff_t last = last_click(shown);
    double examined = 1, likelihood = 1, objective = 0;
    std::size_t r = 0;
    for (; static_cast<std::ptrdiff_t>(r) <= last; ++r) {
      const std::uint32_t d = shown[r].document;
      of_document.examined[d] += w;
      const bool is_last = static_cast<std::ptrdiff_t>(r) == last;
      if (shown[r].clicked) {
        of_document.attracted[d] += w;
        of_document.clicked[d] += w;
        objective += math::log(std::max(alpha(r), kSmallestProbability));
        if (!is_last) {
          objective += math::log(std::max((1 - in[1 + documents_ + d]) * gamma, kSmallestProbability));
          sums.went_on += w;
          sums.could += w;
        }
      } else {
        objective += math::log(std::max((1 - alpha(r)) * gamma, kSmallestProbability));
        sums.went_on += w;
        sums.could += w;
      }
    }
    if (last >= 0) {  // the end of the last click
      const std::uint32_t d = shown[r - 1].document;
      const double sigma = in[1 + documents_ + d], rest = tail.none[r];
      likelihood = sigma + (1 - sigma) * (1 - gamma + gamma * rest);
      objective += math::log(std::max(likelihood, kSmallestProbability));
      const double unsatisfied = (1 - sigma) / likelihood;
      of_document.satisfied[d] += w * sigma / likelihood;
      examined = unsatisfied * gamma * rest;
      if (r < n) {
        sums.went_on += w * examined;
        sums.could += w * unsatisfied * (1 - gamma + gamma * rest);
      }
    } else {
      objective += math::log(std::max(tail.none[0], kSmallestProbability));
    }
    for (; r < n; ++r) {  // no more clicks
      of_document.examined[shown[r].document] += w * examined;
      const double next = gamma * tail.none[r + 1];
      const double goes_on = next / std::max(1 - gamma + next, kSmallestProbability);
      if (r + 1 < n) {
        sums.could += w * examined;
        sums.went_on += w * examined * goes_on;
      }
      examined *= goes_on;
    }
    sums.objective += w * objective;
  }

  const ClickFitting& fitting_;
  std::size_t documents_;
};

void fit_dbn(const ClickFitting& fitting, ClickModel& model) {
  const std::size_t documents = fitting.log.documents();
  std::vector<double> parameters(1 + 2 * documents, 0.5);
  parameters[0] = 0.9;
  model.objective = accelerated_em(parameters, DbnStep(fitting), fitting.options.iterations,
                                   fitting.options.tolerance);
  model.perseverance = parameters[0];
  const auto sigma = parameters.begin() + 1 + static_cast<std::ptrdiff_t>(documents);
  model.attraction.assign(parameters.begin() + 1, sigma);
  model.satisfaction.assign(sigma, parameters.end());
}

void fit_by_counts(const ClickFitting& fitting, ClickModel& model) {
  const ClickLog& log = fitting.log;
  ChainCounts counts;
  counts.attracted.resize(log.documents());
  counts.examined = counts.satisfied = counts.attracted;
  counts.last.resize(log.positions);
  counts.clicks.resize(log.positions);
  for (const ClickSession& session : log.sessions)
    if (session.count > 0)
      count_session(log.documents_of(session), session.count,
                    model.kind == ClickModelKind::cascade, counts);
  for (std::size_t d = 0; d < log.documents(); ++d) {
    model.attraction.push_back(
        fitting.prior.mean(counts.attracted[d], std::max(counts.examined[d], 1e-300)));
    if (model.kind == ClickModelKind::sdbn)
      model.satisfaction.push_back(
          fitting.prior.mean(counts.satisfied[d], std::max(counts.attracted[d], 1e-300)));
  }
  if (model.kind == ClickModelKind::dcm)
    for (std::size_t p = 0; p < log.positions; ++p)
      model.continuation.push_back(fitting.prior.mean(counts.clicks[p] - counts.last[p],
                                                      std::max(counts.clicks[p], 1e-300)));
  model.exposure = std::move(counts.examined);
}

}  // namespace

void fit_chain(const ClickFitting& fitting, ClickModel& model) {
  if (model.kind == ClickModelKind::dbn)
    fit_dbn(fitting, model);
  else
    fit_by_counts(fitting, model);
  // How often each position was examined, on average over what was shown there.
  const ClickLog& log = fitting.log;
  std::vector<double> examined(log.positions), shown(log.positions), exposure(log.documents());
  SessionProbabilities probabilities;
  for (const ClickSession& session : log.sessions) {
    const auto documents = log.documents_of(session);
    predict_session(model, documents, probabilities);
    for (std::size_t r = 0; r < documents.size(); ++r) {
      const double alpha = std::max(model.attraction[documents[r].document], kSmallestProbability);
      const double e = std::min(1.0, probabilities.marginal[r] / alpha);
      examined[documents[r].position - 1] += session.count * e;
      shown[documents[r].position - 1] += session.count;
      exposure[documents[r].document] += session.count * e;
    }
  }
  for (std::size_t p = 0; p < log.positions; ++p)
    model.propensities.push_back(shown[p] > 0 ? examined[p] / shown[p] : 0);
  if (model.exposure.empty()) model.exposure = std::move(exposure);
}

}  // namespace podium

// Trust bias [Agarwal19, Vardasbi20]: P(click | d at p) = a_p γ_d + b_p. As a mixture, with R the
// relevance of the document: P(c | R = 1) = A_p = a_p + b_p and P(c | R = 0) = B_p = b_p. EM:
//   E: ρ₁ = γA / (γA + (1 − γ)B) after a click, ρ₀ = γ(1 − A) / (γ(1 − A) + (1 − γ)(1 − B))
//   without; M: γ, A_p and B_p are means.
// A log determines this only up to an affine map of γ. The maximum is therefore scaled: the
// smallest b_p is 0 and a_1 is 1 − b_1, so that the best possible document is clicked at the first
// position.
#include <algorithm>

#include <fmt/format.h>

#include "clicks/fits.h"
#include "core/math_functions.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr std::size_t kTrustChunk = 1024;  // documents per task
constexpr double kSmallestSlope = 1e-6;

struct TrustSums {
  std::vector<double> relevant, relevant_clicked, other, other_clicked;  // by position
  double objective = 0;
};

// Parameters: A of the positions, B of the positions, γ of the documents.
class TrustStep {
 public:
  TrustStep(const ClickFitting& fitting) : fitting_(fitting), n_(fitting.log.positions) {}

  double operator()(std::span<const double> in, std::span<double> out) const {
    const std::vector<double> zeros(n_);
    const TrustSums none{zeros, zeros, zeros, zeros, 0};
    const TrustSums total = parallel_reduce(
        fitting_.pool, fitting_.log.documents(), kTrustChunk, none,
        [&](std::size_t begin, std::size_t end) {
          TrustSums sums = none;
          for (std::size_t d = begin; d < end; ++d) add(d, in, out, sums);
          return sums;
        },
        [&](TrustSums& sum, const TrustSums& part) {
          for (std::size_t p = 0; p < n_; ++p) {
            sum.relevant[p] += part.relevant[p];
            sum.relevant_clicked[p] += part.relevant_clicked[p];
            sum.other[p] += part.other[p];
            sum.other_clicked[p] += part.other_clicked[p];
          }
          sum.objective += part.objective;
        });
    double objective = total.objective;
    for (std::size_t p = 0; p < n_; ++p) {
      objective += fitting_.prior.log_density(in[p]) + fitting_.prior.log_density(in[n_ + p]);
      out[p] = fitting_.prior.mean(total.relevant_clicked[p], total.relevant[p]);
      out[n_ + p] = fitting_.prior.mean(total.other_clicked[p], total.other[p]);
    }
    return objective;
  }

 private:
  void add(std::size_t d, std::span<const double> in, std::span<double> out,
           TrustSums& sums) const {
    const double gamma = in[2 * n_ + d];
    double relevant = 0, count = 0;
    for (const ClickCell& cell : fitting_.log.cells_of(d)) {
      const std::size_t p = cell.position - 1;
      const double a = in[p], b = in[n_ + p], skipped = cell.shown - cell.clicked;
      const double click = std::max(gamma * a + (1 - gamma) * b, kSmallestProbability);
      const double none = std::max(1 - click, kSmallestProbability);
      const double clicked = cell.clicked * gamma * a / click;
      const double passed = skipped * gamma * (1 - a) / none;
      sums.objective += (cell.clicked > 0 ? cell.clicked * math::log(click) : 0) +
                        (skipped > 0 ? skipped * math::log(none) : 0);
      sums.relevant_clicked[p] += clicked;
      sums.relevant[p] += clicked + passed;
      sums.other_clicked[p] += cell.clicked - clicked;
      sums.other[p] += cell.shown - clicked - passed;
      relevant += clicked + passed;
      count += cell.shown;
    }
    sums.objective += fitting_.prior.log_density(gamma);
    out[2 * n_ + d] = count == 0 ? gamma : fitting_.prior.mean(relevant, count);
  }

  const ClickFitting& fitting_;
  std::size_t n_;
};

// At which positions users click relevant documents less than others, or relevance counts for more
// than at the first one: no propensities.
std::string impossible_positions(const ClickModel& model) {
  std::string text;
  for (std::size_t p = 0; p < model.slope.size(); ++p)
    if (!(model.slope[p] > 0) || model.slope[p] > 1)
      text += fmt::format("{}{} (a = {:.3g})", text.empty() ? "" : ", ", p + 1, model.slope[p]);
  return text;
}

// γ = (γ′ − shift) / scale: the same clicks with a scaled so that the anchors hold.
void rescale(ClickModel& model) {
  if (!(model.slope[0] > kSmallestSlope))
    throw Error(ErrorCode::data,
                "the log does not determine trust: at position 1 documents are not clicked more "
                "for being relevant. Use more sessions, or fit ‹model pbm›");
  const std::size_t n = model.slope.size();
  // b_p + a_p t ≥ 0 for all p: the smallest such t makes the smallest b_p 0.
  double t = -1e300;
  for (std::size_t p = 0; p < n; ++p)
    if (model.slope[p] > kSmallestSlope) t = std::max(t, -model.offset[p] / model.slope[p]);
  for (std::size_t p = 0; p < n; ++p) model.offset[p] += model.slope[p] * t;
  for (double& gamma : model.attraction) gamma -= t;
  const double scale = (1 - model.offset[0]) / model.slope[0];
  for (double& a : model.slope) a *= scale;
  for (double& gamma : model.attraction) gamma /= scale;
}

}  // namespace

void fit_trust(const ClickFitting& fitting, Context& context, ClickModel& model) {
  const std::size_t n = fitting.log.positions, documents = fitting.log.documents();
  std::vector<double> parameters(2 * n + documents, 0.3);
  for (std::size_t p = 0; p < n; ++p) {
    parameters[p] = 0.9 / static_cast<double>(p + 1);
    parameters[n + p] = 0.1 / static_cast<double>(p + 1);
  }
  model.objective = accelerated_em(parameters, TrustStep(fitting), fitting.options.iterations,
                                   fitting.options.tolerance);
  const auto gamma = parameters.begin() + static_cast<std::ptrdiff_t>(2 * n);
  for (std::size_t p = 0; p < n; ++p) {
    model.slope.push_back(parameters[p] - parameters[n + p]);
    model.offset.push_back(parameters[n + p]);
  }
  model.attraction.assign(gamma, parameters.end());
  rescale(model);
  model.propensities = model.slope;
  for (std::size_t p = 0; p < n; ++p)  // a₁ + b₁ is 1 but for rounding
    model.propensities[p] = std::min(1.0, model.propensities[p] + model.offset[p]);
  count_exposure(fitting.log, model);
  if (const std::string odd = impossible_positions(model); !odd.empty())
    context.observer.note(
        fmt::format("the slopes of trust are between 0 and that of position 1, but not here: {}. "
                    "These cannot be used as propensities: use more sessions, or ‹model pbm›",
                    odd));
}

}  // namespace podium

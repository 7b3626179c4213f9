#include "clicks/examination_em.h"

#include "core/math_functions.h"

namespace podium {
namespace {

constexpr std::size_t kDocumentChunk = 1024;

struct StateSums {
  std::vector<double> hits, count;  // of each state
  double objective = 0;
};

class ExaminationStep {
 public:
  ExaminationStep(const ExaminationProblem& problem, ThreadPool& pool)
      : problem_(problem),
        pool_(pool),
        states_(problem.start.size()),
        documents_(problem.document_begin.size() - 1) {}

  // Parameters: θ of the states, then γ of the documents.
  double operator()(std::span<const double> in, std::span<double> out) const {
    const StateSums none{std::vector<double>(states_), std::vector<double>(states_), 0};
    const StateSums total = parallel_reduce(
        pool_, documents_, kDocumentChunk, none,
        [&](std::size_t begin, std::size_t end) {
          StateSums sums = none;
          for (std::size_t d = begin; d < end; ++d) add(d, in, out, sums);
          return sums;
        },
        [&](StateSums& sum, const StateSums& part) {
          for (std::size_t s = 0; s < states_; ++s) {
            sum.hits[s] += part.hits[s];
            sum.count[s] += part.count[s];
          }
          sum.objective += part.objective;
        });
    double objective = total.objective;
    for (std::size_t s = 0; s < states_; ++s) {
      const bool free = !problem_.fixed[s];
      if (free) objective += problem_.prior.log_density(in[s]);
      out[s] = !free || total.count[s] == 0 ? problem_.start[s]
                                            : problem_.prior.mean(total.hits[s], total.count[s]);
    }
    return objective;
  }

 private:
  void add(std::size_t d, std::span<const double> in, std::span<double> out, StateSums& sums) const {
    const double gamma = in[states_ + d];
    double relevant = 0, count = 0;
    for (std::size_t c = problem_.document_begin[d]; c < problem_.document_begin[d + 1]; ++c) {
      const StateCell& cell = problem_.cells[c];
      const double theta = problem_.fixed[cell.state] ? problem_.start[cell.state] : in[cell.state];
      const double p = theta * gamma, not_clicked = cell.shown - cell.clicked;
      const double none = std::max(1 - p, kSmallestProbability);
      sums.objective += (cell.clicked > 0 ? cell.clicked * math::log(p) : 0) +
                        (not_clicked > 0 ? not_clicked * math::log(none) : 0);
      relevant += cell.clicked + not_clicked * gamma * (1 - theta) / none;
      sums.hits[cell.state] += cell.clicked + not_clicked * theta * (1 - gamma) / none;
      sums.count[cell.state] += cell.shown;
      count += cell.shown;
    }
    sums.objective += problem_.prior.log_density(gamma);
    out[states_ + d] = count == 0 ? gamma : problem_.prior.mean(relevant, count);
  }

  const ExaminationProblem& problem_;
  ThreadPool& pool_;
  std::size_t states_, documents_;
};

// The rate at which a document is clicked where it is examined.
double start_of(const ExaminationProblem& problem, std::size_t d) {
  double clicks = 0.5, exposure = 1;
  for (std::size_t c = problem.document_begin[d]; c < problem.document_begin[d + 1]; ++c) {
    clicks += problem.cells[c].clicked;
    exposure += problem.cells[c].shown * problem.start[problem.cells[c].state];
  }
  return std::clamp(clicks / exposure, 0.01, 0.99);
}

}  // namespace

double BetaPrior::log_density(double p) const {
  double sum = 0;
  if (alpha != 1) sum += (alpha - 1) * math::log(std::max(p, kSmallestProbability));
  if (beta != 1) sum += (beta - 1) * math::log(std::max(1 - p, kSmallestProbability));
  return sum;
}

ExaminationFit fit_examination(const ExaminationProblem& problem, std::int64_t iterations,
                               double tolerance, ThreadPool& pool) {
  const std::size_t states = problem.start.size(), documents = problem.document_begin.size() - 1;
  std::vector<double> parameters = problem.start;
  for (std::size_t d = 0; d < documents; ++d) parameters.push_back(start_of(problem, d));
  ExaminationFit fit;
  fit.objective = accelerated_em(parameters, ExaminationStep(problem, pool), iterations, tolerance);
  const auto middle = parameters.begin() + static_cast<std::ptrdiff_t>(states);
  fit.theta.assign(parameters.begin(), middle);
  for (std::size_t s = 0; s < states; ++s)
    if (problem.fixed[s]) fit.theta[s] = problem.start[s];
  fit.gamma.assign(middle, parameters.end());
  return fit;
}

}  // namespace podium

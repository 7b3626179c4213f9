#include "clicks/theta_step.h"

#include <algorithm>

#include "core/math_functions.h"

namespace podium {
namespace {

constexpr std::size_t kStepChunk = 1024;  // documents per task

}  // namespace

double ThetaStep::operator()(std::span<const double> in, std::span<double> out) const {
  const std::size_t n = in.size();
  const Sums none{std::vector<double>(n), std::vector<double>(n), 0};
  const Sums total = parallel_reduce(
      fitting_.pool, gamma_.size(), kStepChunk, none,
      [&](std::size_t begin, std::size_t end) {
        Sums sums = none;
        for (std::size_t d = begin; d < end; ++d) add(d, in, sums);
        return sums;
      },
      [&](Sums& sum, const Sums& part) {
        for (std::size_t p = 0; p < n; ++p) {
          sum.hits[p] += part.hits[p];
          sum.count[p] += part.count[p];
        }
        sum.objective += part.objective;
      });
  double objective = total.objective;
  for (std::size_t p = 0; p < n; ++p) {
    const bool free = !anchors_.fixed[p];
    if (free) objective += fitting_.prior.log_density(in[p]);
    out[p] = !free || total.count[p] == 0 ? anchors_.values[p]
                                          : fitting_.prior.mean(total.hits[p], total.count[p]);
  }
  return objective;
}

void ThetaStep::add(std::size_t d, std::span<const double> in, Sums& sums) const {
  const double gamma = gamma_[d];
  for (const ClickCell& cell : fitting_.log.cells_of(d)) {
    const std::size_t p = cell.position - 1;
    const double theta = anchors_.fixed[p] ? anchors_.values[p] : in[p];
    const double click = theta * gamma, skipped = cell.shown - cell.clicked;
    const double none = std::max(1 - click, kSmallestProbability);
    sums.objective += (cell.clicked > 0 ? cell.clicked * math::log(click) : 0) +
                      (skipped > 0 ? skipped * math::log(none) : 0);
    sums.hits[p] += cell.clicked + skipped * theta * (1 - gamma) / none;
    sums.count[p] += cell.shown;
  }
}

}  // namespace podium

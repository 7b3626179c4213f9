#include "experiments/statistics/moments.h"
#include "experiments/statistics/system_values.h"
#include "podium/significance.h"

namespace podium {

Variation variation(SystemValues means) {
  check_same_length(means);
  std::vector<double> seeds, folds;
  for (const auto& of_seed : means) seeds.push_back(moments_of(of_seed).mean);
  for (std::size_t f = 0; !means.empty() && f < means.front().size(); ++f) {
    std::vector<double> of_fold;
    for (const auto& of_seed : means) of_fold.push_back(of_seed[f]);
    folds.push_back(moments_of(of_fold).mean);
  }
  Variation result;
  result.mean = moments_of(seeds).mean;
  if (folds.size() > 1) result.over_folds = moments_of(folds).deviation;
  if (seeds.size() > 1) result.over_seeds = moments_of(seeds).deviation;
  return result;
}

}  // namespace podium

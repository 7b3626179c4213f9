#include <algorithm>
#include <cmath>

#include "experiments/moments.h"
#include "podium/significance.h"

namespace podium {
namespace {

std::vector<double> means_of(SystemValues values) {
  std::vector<double> means;
  for (const auto& system : values) {
    std::vector<double> present;
    std::copy_if(system.begin(), system.end(), std::back_inserter(present),
                 [](double v) { return !std::isnan(v); });
    means.push_back(moments_of(present).mean);
  }
  return means;
}

}  // namespace

std::vector<Standing> standings(SystemValues values, const Family& all_pairs, double alpha) {
  const std::vector<double> means = means_of(values);
  std::vector<Standing> result(values.size(), Standing::unknown);
  std::size_t best = means.size();
  for (std::size_t i = 0; i < means.size(); ++i)
    if (std::isfinite(means[i]) && (best == means.size() || means[i] > means[best])) best = i;
  if (best == means.size()) return result;
  for (const FamilyMember& pair : all_pairs.members) {
    if (pair.first != best && pair.second != best) continue;
    const std::size_t other = pair.first == best ? pair.second : pair.first;
    if (pair.adjusted)
      result[other] = *pair.adjusted <= alpha ? Standing::worse : Standing::not_worse;
  }
  for (std::size_t i = 0; i < means.size(); ++i)
    if (std::isfinite(means[i]) && means[best] - means[i] <= kRounding * std::abs(means[best]))
      result[i] = Standing::best;
  return result;
}

}  // namespace podium

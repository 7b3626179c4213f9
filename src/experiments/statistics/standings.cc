#include <algorithm>
#include <cmath>

#include "experiments/statistics/moments.h"
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
  return standings(means_of(values), all_pairs, alpha);
}

std::vector<Standing> standings(std::span<const double> figures, const Family& all_pairs,
                                double alpha) {
  std::vector<Standing> result(figures.size(), Standing::unknown);
  std::size_t best = figures.size();
  for (std::size_t i = 0; i < figures.size(); ++i)
    if (std::isfinite(figures[i]) && (best == figures.size() || figures[i] > figures[best]))
      best = i;
  if (best == figures.size()) return result;
  for (const FamilyMember& pair : all_pairs.members) {
    if (pair.first != best && pair.second != best) continue;
    const std::size_t other = pair.first == best ? pair.second : pair.first;
    if (pair.adjusted)
      result[other] = *pair.adjusted <= alpha ? Standing::worse : Standing::not_worse;
  }
  for (std::size_t i = 0; i < figures.size(); ++i)
    if (std::isfinite(figures[i]) &&
        figures[best] - figures[i] <= kRounding * std::abs(figures[best]))
      result[i] = Standing::best;
  return result;
}

}  // namespace podium

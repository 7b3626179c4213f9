#include "models/mlp.h"

#include <cmath>
#include <limits>

#include "models/mlp_network.h"
#include "models/row_values.h"

namespace podium {
namespace {

constexpr std::size_t kScoreBlock = 256;  // documents
constexpr std::size_t kMomentBlock = 4096;
}  // namespace

std::vector<double> score(const Mlp& model, const Dataset& data, ThreadPool& pool) {
  const MlpNetwork network(model);
  std::vector<double> scores(data.documents());
  parallel_for(pool, data.documents(), kScoreBlock, [&](std::size_t begin, std::size_t end) {
    MlpNetwork::Pass pass;
    network.forward(data.rows(begin, end), std::span(scores).subspan(begin, end - begin), pass);
  });
  return scores;
}

Standardization fit_standardization(const Dataset& data, Context& context) {
  const std::size_t features = data.features();
  const std::size_t block = std::max(kMomentBlock, (data.documents() + 63) / 64);
  auto sums = parallel_reduce(
      context.pool, data.documents(), block, std::vector<double>(3 * features),
      [&](std::size_t begin, std::size_t end) {
        std::vector<double> part(3 * features);
        const Rows rows = data.rows(begin, end);
        RowValues values(rows);
        for (std::size_t i = 0; i < rows.documents(); ++i) {
          const float* const x = values(i);
          for (std::size_t f = 0; f < features; ++f) {
            if (std::isnan(x[f])) continue;
            const double value = x[f];
            part[f] += 1;
            part[features + f] += value;
            part[2 * features + f] += value * value;
          }
        }
        return part;
      },
      [](std::vector<double>& total, const std::vector<double>& part) {
        for (std::size_t i = 0; i < total.size(); ++i) total[i] += part[i];
      });
  context.comm.all_reduce_sum(std::span(sums));
  Standardization out{std::vector<float>(features), std::vector<float>(features)};
  for (std::size_t f = 0; f < features; ++f) {
    if (!(sums[f] > 0)) continue;  // never known
    const double mean = sums[features + f] / sums[f];
    const double variance = sums[2 * features + f] / sums[f] - mean * mean;
    out.mean[f] = static_cast<float>(mean);
    // What rounding leaves of a constant, and what single precision cannot divide by, is 0.
    const auto deviation = static_cast<float>(std::sqrt(std::max(variance, 0.0)));
    if (variance > 1e-12 * mean * mean && deviation > std::numeric_limits<float>::min() * 4)
      out.deviation[f] = deviation;
  }
  return out;
}

}  // namespace podium

#include "models/mlp/mlp.h"

#include <cmath>
#include <limits>

#include "models/document_sums.h"
#include "models/mlp/mlp_network.h"
#include "models/row_values.h"

namespace podium {
namespace {

constexpr std::size_t kScoreBlock = 256;  // documents

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
  // Per feature: the number of known values, their sum and the sum of their squares.
  const auto sums =
      sum_over_pieces(data, 3 * features, context, [&](const Piece& piece, std::span<double> sum) {
        const Rows rows = data.rows(piece.begin, piece.end);
        RowValues values(rows);
        for (std::size_t i = 0; i < rows.documents(); ++i) {
          const float* const x = values(i);
          for (std::size_t f = 0; f < features; ++f) {
            if (std::isnan(x[f])) continue;
            const double value = x[f];
            sum[f] += 1;
            sum[features + f] += value;
            sum[2 * features + f] += value * value;
          }
        }
      });
  Standardization out{std::vector<float>(features), std::vector<float>(features)};
  for (std::size_t f = 0; f < features; ++f) {
    if (!(sums[f] > 0)) continue;  // no known value
    const double mean = sums[features + f] / sums[f];
    const double variance = sums[2 * features + f] / sums[f] - mean * mean;
    out.mean[f] = static_cast<float>(mean);
    // Rounding errors of a constant, and numbers that single precision cannot divide by, become 0.
    const auto deviation = static_cast<float>(std::sqrt(std::max(variance, 0.0)));
    if (variance > 1e-12 * mean * mean && deviation > std::numeric_limits<float>::min() * 4)
      out.deviation[f] = deviation;
  }
  return out;
}

}  // namespace podium

#include "trees/derivative_scale.h"

#include "core/exact_sum.h"
#include "distributed/over_ranks.h"

namespace podium {
namespace {

constexpr std::size_t kTotalChunk = 4096;  // documents

}  // namespace

double output_total(std::span<const double> values, std::size_t outputs, std::size_t output,
                    Context& context) {
  const ExactSum sum = parallel_reduce(
      context.pool, values.size() / outputs, kTotalChunk, ExactSum(),
      [&](std::size_t begin, std::size_t end) {
        ExactSum part;
        for (std::size_t i = begin; i < end; ++i) part += values[i * outputs + output];
        return part;
      },
      [](ExactSum& all, const ExactSum& part) { all += part; });
  return sum_over_ranks(sum, context.comm);
}

}  // namespace podium
